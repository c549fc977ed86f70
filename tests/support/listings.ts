import { assertEquals } from "@std/assert";
import type { JsonAnswer, TestApp, TestRequest } from "./app.ts";

let serial = 0;

/** The smallest valid listing; each call has a different name and URL. */
export function listingBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  serial++;
  return {
    name: `Project ${serial}`,
    url: `https://project-${serial}.example.com`,
    tagline: "A thing that does one thing",
    ...fields,
  };
}

/** A different address for each number, so that limits per network don't interfere. */
export function addressOf(n: number): string {
  return `198.${18 + (n >> 16 & 1)}.${n >> 8 & 255}.${n & 255}`;
}

/** Lists a project from its own network and returns the response body. */
export async function submit(
  app: TestApp,
  fields: Record<string, unknown> = {},
  options: TestRequest = {},
): Promise<JsonAnswer["body"]> {
  const answer = await app.json("/api/v1/projects", {
    json: listingBody(fields),
    address: addressOf(serial + 1),
    ...options,
  });
  assertEquals(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

/** The fields in an `invalid_input`, in order; fails on any other response. */
export function invalidFields(answer: JsonAnswer): string[] {
  assertEquals(answer.status, 400, JSON.stringify(answer.body));
  assertEquals(answer.body.error.code, "invalid_input");
  return answer.body.error.details.map((problem: { field: string }) => problem.field);
}
