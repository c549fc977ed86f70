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

/** The response to an unhandled error; the text of unknown errors stays private. */
export function defaultErrorResponse(error: unknown): Response {
  const { status, message, cause } = error instanceof HttpError
    ? error
    : new HttpError(500, "Internal server error");
  if (status >= 500) {
    // deno-lint-ignore no-console
    console.error(error);
  }
  const { allow } = (cause ?? {}) as { allow?: string[] };
  return new Response(message, { status, headers: allow && { Allow: allow.join(", ") } });
}
