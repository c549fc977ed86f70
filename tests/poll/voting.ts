import { type TestApp, type TestRequest } from "../support/app.ts";

/** Casts a ballot; `agent` is sent as X-Agent-Name. */
export function vote(
  app: TestApp,
  ballot: unknown,
  options: TestRequest & { agent?: string } = {},
) {
  const { agent, ...init } = options;
  const headers = { ...(agent === undefined ? {} : { "x-agent-name": agent }) };
  return app.json("/api/v1/poll/vote", { json: ballot, headers, ...init });
}

/** The fields that an error names. */
export const problems = (body: { error: { details: { field: string }[] } }) =>
  body.error.details.map((problem) => problem.field);
