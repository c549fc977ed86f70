import { type TestApp, type TestRequest } from "../support/app.ts";

/** The user agent of a person. */
export const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
/** When tests of the poll begin (ms): a Wednesday. */
export const NOON = Date.parse("2026-03-04T12:00:00.000Z");

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

/** The fields that a refusal names. */
export const problems = (body: { error: { details: { field: string }[] } }) =>
  body.error.details.map((problem) => problem.field);
