import { z } from "zod";
import type { EntryKind } from "../entries/entries.ts";
import type { Operation } from "../openapi/operation.ts";
import { WITHDRAWAL_NOTICE } from "./withdrawal.ts";

/** The answer to a withdrawal. */
const WithdrawnBody = z.object({
  ok: z.literal(true),
  slug: z.string(),
  withdrawn: z.literal(true),
})
  .meta({ id: "Withdrawn" });

function withdrawal(kind: EntryKind, { path, noun, tag }: {
  path: string;
  noun: string;
  tag: Operation["tag"];
}): Operation {
  return {
    method: "delete",
    path,
    operationId: `withdraw${noun}`,
    tag,
    summary: `Withdraw a ${noun.toLowerCase()}`,
    description: WITHDRAWAL_NOTICE[kind],
    editKey: true,
    responses: {
      200: { description: "Withdrawn; from now on it is not found", schema: WithdrawnBody },
    },
    errors: ["rate_limited"],
  };
}

/** What owners do beside editing. */
export const ownerOperations: Operation[] = [
  withdrawal("listing", { path: "/api/v1/projects/{slug}", noun: "Project", tag: "Listings" }),
  withdrawal("skill", { path: "/api/v1/skills/{slug}", noun: "Skill", tag: "Skills" }),
];
