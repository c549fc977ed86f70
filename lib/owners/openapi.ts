import { z } from "zod";
import { OwnEditKey } from "../entries/edit_key.ts";
import type { EntryKind } from "../entries/entries.ts";
import { Method } from "../entries/verified.ts";
import { RATE_LIMITS } from "../limits.ts";
import { ProjectBody } from "../listings/openapi.ts";
import type { Operations } from "../openapi/operation.ts";
import type { Tag } from "../openapi/tags.ts";
import { SkillBody } from "../skills/openapi.ts";
import { WITHDRAWAL_NOTICE } from "./withdrawal.ts";

/** The response to a withdrawal. */
const WithdrawnBody = z.object({
  ok: z.literal(true),
  slug: z.string(),
  withdrawn: z.literal(true),
}).meta({ id: "Withdrawn" });

/** The body that starts a claim. */
export const ClaimInput = z.object({ editKey: OwnEditKey }).meta({ id: "ClaimInput" });

/** A place where a token can be published. */
const ClaimPlace = z.object({
  method: Method,
  where: z.string().describe("The name of a TXT record, or the URL of a file or page"),
  content: z.string().describe("What to paste there"),
}).meta({ id: "ClaimPlace" });

/** The response when a claim starts. */
const ClaimBody = z.object({
  ok: z.literal(true),
  slug: z.string(),
  token: z.string().describe("Public. Useless without the edit key"),
  editKey: z.string().regex(/^pik_/).describe("Secret. It doesn't work until the token is found"),
  editKeyNotice: z.string(),
  places: z.array(ClaimPlace).describe("Use any one of these"),
  checkUrl: z.url().describe("POST here with X-Edit-Key once the token is published"),
}).meta({ id: "Claim" });

/** How operations refer to each kind. */
const KINDS = {
  listing: { path: "/api/v1/projects/{slug}", noun: "Project", tag: "Listings" },
  skill: { path: "/api/v1/skills/{slug}", noun: "Skill", tag: "Skills" },
} as const satisfies Record<EntryKind, { path: string; noun: string; tag: Tag }>;

/** What owners of a kind of entry can do besides editing. */
const operationsOf = (
  kind: EntryKind,
  { path, noun, tag }: typeof KINDS[EntryKind],
): Operations => ({
  [`POST ${path}/verification`]: {
    operationId: kind === "listing" ? "startVerification" : `start${noun}Verification`,
    tag,
    summary: `Claim a ${noun.toLowerCase()} that you own`,
    description: kind === "listing"
      ? "Publish the token at one of the listed places, then check. Nothing is stored until then."
      : "Works the same as for projects. Publish the token at the skill's `sourceUrl`.",
    body: { schema: ClaimInput, example: {}, isOptional: true },
    responses: { 200: { description: "What to publish, and where", schema: ClaimBody } },
    errors: ["fetcher_unavailable"],
  },
  [`POST ${path}/verification/check`]: {
    operationId: kind === "listing" ? "checkVerification" : `check${noun}Verification`,
    tag,
    summary: `Prove that you own a ${noun.toLowerCase()}`,
    description: kind === "listing"
      ? "Looks for the token that belongs to the edit key in `X-Edit-Key`. If we find it in any of the places, the owner is " +
        `verified, and this key replaces the old one. Keep the token in place: we check it weekly. Up to ${RATE_LIMITS.ownershipChecks} checks an hour per network.`
      : "Works the same as for projects.",
    editKey: true,
    responses: {
      200: {
        description: `The ${noun.toLowerCase()}, with its verified owner`,
        schema: kind === "listing" ? ProjectBody : SkillBody,
      },
    },
    errors: ["invalid_input", "ownership_not_proven", "fetcher_unavailable", "rate_limited"],
  },
  [`DELETE ${path}`]: {
    operationId: `withdraw${noun}`,
    tag,
    summary: `Withdraw a ${noun.toLowerCase()}`,
    description: `This can't be undone. ${WITHDRAWAL_NOTICE[kind].join(" ")}`,
    editKey: true,
    responses: {
      200: { description: "Withdrawn. Later requests get a 404", schema: WithdrawnBody },
    },
    errors: ["rate_limited"],
  },
});

/** What owners can do besides editing. */
export const ownerOperations: Operations = {
  ...operationsOf("listing", KINDS.listing),
  ...operationsOf("skill", KINDS.skill),
};
