/** An error that stands for an HTTP status; thrown by handlers, shown by `_error` pages. */
export class HttpError extends Error {
  /** The status the response should have. */
  status: number;

  constructor(status: number, message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = this.constructor.name;
    this.status = status;
  }
}

/** Sentences for statuses that the framework answers by itself. */
const STATUS_TEXT: Record<number, string> = {
  400: "Bad Request",
  404: "Not Found",
  405: "Method Not Allowed",
};

/** The answer to an error that nothing else handled; the text of unknown errors stays private. */
export function defaultErrorResponse(error: unknown): Response {
  if (!(error instanceof HttpError) || error.status >= 500) {
    // deno-lint-ignore no-console
    console.error(error);
  }
  if (!(error instanceof HttpError)) return new Response("Internal server error", { status: 500 });
  const { status, message } = error;
  const cause = error.cause as { allow?: string[] } | undefined;
  const headers = cause?.allow ? { Allow: cause.allow.join(", ") } : undefined;
  return new Response(message || STATUS_TEXT[status], { status, headers });
}
