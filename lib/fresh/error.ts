/** An error with an HTTP status; thrown by handlers. */
export class HttpError extends Error {
  override name = "HttpError";

  constructor(
    /** The response's status. */
    readonly status: number,
    message?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The HTTP status for an error. */
function statusOf(error: unknown): number {
  return error instanceof HttpError ? error.status : 500;
}

/** The response to an unhandled error; the text of unknown errors stays private. */
export function defaultErrorResponse(error: unknown): Response {
  const status = statusOf(error);
  if (status >= 500) {
    // deno-lint-ignore no-console
    console.error(error);
  }
  if (!(error instanceof HttpError)) return new Response("Internal server error", { status });
  const { allow } = (error.cause ?? {}) as { allow?: string[] };
  return new Response(error.message, {
    status,
    headers: allow && { Allow: allow.join(", ") },
  });
}
