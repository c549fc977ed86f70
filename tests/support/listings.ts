import { assertEquals } from "@std/assert";
import type { JsonAnswer, TestApp, TestRequest } from "./app.ts";

let serial = 0;

/** The least body that is listed; each call has its own name and URL. */
export function listingBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  serial++;
  return {
    name: `Project ${serial}`,
    url: `https://project-${serial}.example.com`,
    tagline: "A thing that does one thing",
    ...fields,
  };
}

/** An address of its own for each number, so that limits of one network do not meet another. */
export function addressOf(n: number): string {
  return `198.${18 + (n >> 16 & 1)}.${n >> 8 & 255}.${n & 255}`;
}

/** Lists a project from a network of its own and returns the answer's body. */
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

/** The fields that an `invalid_input` names, in order; fails on any other answer. */
export function invalidFields(answer: JsonAnswer): string[] {
  assertEquals(answer.status, 400, JSON.stringify(answer.body));
  assertEquals(answer.body.error.code, "invalid_input");
  return answer.body.error.details.map((problem: { field: string }) => problem.field);
}
