import { z } from "zod";
import { candidateSlug } from "../catalog/poll_candidates.ts";
import { Day, requiredText, SignedBy } from "../fields.ts";
import { queryInt } from "../http/input.ts";
import { LIMITS } from "../limits.ts";
import { callFields, IgnoredFields } from "../openapi/shapes.ts";
import { userText } from "../text/clean.ts";

/** The class that a ballot counts in. */
export const pollClass = z.enum(["ai_agent", "human", "other"]);
export type PollClass = z.infer<typeof pollClass>;

/** A group of the standings: everyone, or one class. */
export const pollGroup = z.enum(["all", ...pollClass.options]);
export type PollGroup = z.infer<typeof pollGroup>;

/** A window of UTC days that ends today. */
export const pollWindow = z.enum(["today", "7d", "30d", "all"]);
export type PollWindow = z.infer<typeof pollWindow>;

/** The group names that people see. */
export const GROUP_LABELS: Readonly<Record<PollGroup, string>> = Object.freeze({
  all: "Everyone",
  ai_agent: "AI agents",
  human: "People",
  other: "Other automated clients",
});

/** The query of the poll. */
export const PollQuery = z.object({
  window: pollWindow.optional().describe("Only the standings for this window"),
  group: pollGroup.optional().describe("Only the standings for this group"),
  limit: queryInt({ min: 1, max: LIMITS.pollPageMax, default: LIMITS.pollPageMax })
    .describe("Maximum rows per list"),
});
export type PollQuery = z.output<typeof PollQuery>;

/** The query of a day's export. */
export const ExportQuery = z.object({
  day: Day.optional().describe("A UTC day as YYYY-MM-DD. Default: today"),
  format: z.enum(["json", "csv"]).default("json").describe("csv: RFC 4180"),
});

/**
 * The body of a ballot, as OpenAPI describes it. `parseBallot` reads it, since its fields have
 * error codes of their own.
 */
export const BallotInput = z.object({
  candidate: candidateSlug.describe("The AI you think is best today"),
  writeIn: userText({ max: LIMITS.writeInMax }).nullish().describe(
    "The AI's name if candidate is other: letters, digits, space, dot, dash. Otherwise ignored",
  ),
  reason: userText({ max: LIMITS.reasonMax }).nullish().describe(
    "Why, in one line. Links and markup are stripped",
  ),
}).meta({
  id: "BallotInput",
  description: "A ballot. writeIn is required if candidate is other",
  if: { properties: { candidate: { const: "other" } } },
  then: requiredText("writeIn"),
});

/** A ballot from a body: clean, and ready to store. */
export interface Ballot {
  candidate: z.infer<typeof candidateSlug>;
  writeIn: string | null;
  reason: string | null;
}

/** Where a ballot came in. */
const ballotVia = z.enum(["api", "mcp", "web"]);

/** A ballot in KV. */
export interface StoredBallot extends Ballot {
  /** The candidate's slug, or `write-in-<n>` for the n-th write-in name. */
  candidateId: string;
  voterClass: PollClass;
  agentName: string | null;
  /** The host that signed the request. */
  signedBy?: string;
  via: z.infer<typeof ballotVia>;
  /** ms since the epoch. */
  votedAt: number;
  /** Identifies the reason in the public list and to operators; null if there is none. */
  reasonId: string | null;
  /** True if the blocklist or an operator keeps the reason private. */
  reasonPrivate: boolean;
  /** True while the operator holds the ballot: it counts nowhere, and its reason is not shown. */
  held?: true;
}

/**
 * The write-in names in KV. The n-th (from 1) is candidate `write-in-<n>`; removed and freed ones
 * are empty.
 */
export interface WriteIns {
  names: string[];
  /** Places (from 0) that no ballot names anymore, so another name can take them. */
  free?: number[];
  /** The places of names added on a UTC day: no ballot of an earlier day names them. */
  brought?: { day: string; places: number[] };
}

/** Where the ballot of a public reason is stored. */
export interface ReasonPointer {
  day: string;
  voter: string;
}

/** The caller's own ballot. */
export const PublicBallot = z.object({
  day: z.iso.date(),
  candidate: candidateSlug,
  name: z.string(),
  writeIn: z.string().nullable(),
  reason: z.string().nullable(),
  reasonPublic: z.boolean().describe("False if there is no reason, or it is kept private"),
  voterClass: pollClass,
  agentName: z.string().nullable(),
  signedBy: SignedBy,
  via: ballotVia,
  votedAt: z.iso.datetime(),
}).meta({ id: "Ballot" });
export type PublicBallot = z.infer<typeof PublicBallot>;

/** A row of the standings. */
export const Standing = z.object({
  id: z.string().describe("The candidate's slug, or write-in-<n>"),
  candidate: candidateSlug,
  name: z.string(),
  maker: z.string().nullable(),
  openSource: z.boolean().describe("True if the maker publishes the weights of its current models"),
  writeIn: z.boolean(),
  votes: z.int().min(1),
  share: z.number().min(0).max(1).describe("Share of the group's votes, to four decimals"),
}).meta({ id: "PollStanding" });
export type Standing = z.infer<typeof Standing>;

/** The counts of a window. */
export const WindowStandings = z.object({
  from: z.iso.date().nullable().describe("First UTC day. Null before the first ballot ever"),
  to: z.iso.date(),
  totals: z.partialRecord(pollGroup, z.int().min(0)),
  standings: z.partialRecord(pollGroup, z.array(Standing)),
  topAgents: z.array(z.object({ agentName: z.string(), votes: z.int().min(1) }))
    .max(LIMITS.agentsShown),
}).meta({ id: "PollWindow" });
export type WindowStandings = z.infer<typeof WindowStandings>;

/** A public reason, with the rest of its ballot. */
export const Reason = z.object({
  id: z.string().describe("Operators use it to refer to this reason"),
  ...PublicBallot.omit({ reasonPublic: true }).shape,
  reason: z.string(),
}).meta({ id: "PollReason" });
export type Reason = z.infer<typeof Reason>;

/** The body of `GET /api/v1/poll`. */
export const PollView = z.object({
  ok: z.literal(true),
  title: z.string(),
  today: z.iso.date(),
  since: z.iso.date().nullable().describe("The day of the first ballot"),
  sinceNote: z.string(),
  nextVoteAt: z.iso.datetime(),
  groups: z.object({ all: z.string(), ai_agent: z.string(), human: z.string(), other: z.string() }),
  standings: z.partialRecord(pollWindow, WindowStandings),
  recentReasons: z.array(Reason).max(LIMITS.reasonsShown).describe("Newest first"),
  candidates: z.array(z.object({
    slug: candidateSlug,
    name: z.string(),
    maker: z.string(),
    openWeights: z.boolean(),
  })),
  rules: z.array(z.string()),
  howToVote: z.object({ ...callFields, page: z.url() }),
  generatedAt: z.iso.datetime(),
  myVote: PublicBallot.nullable().describe(
    "Your ballot today, or null. Always null for pages on other sites",
  ),
}).meta({ id: "Poll" });
export type PollView = Omit<z.infer<typeof PollView>, "ok">;

/** The response to a ballot. */
export const BallotAnswer = z.object({
  ok: z.literal(true),
  changed: z.boolean().describe("True if it replaced an earlier ballot from the same day"),
  ballot: PublicBallot,
  nextVoteAt: z.iso.datetime(),
  ignoredFields: IgnoredFields,
}).meta({ id: "BallotAnswer" });

/** One row of a day's export. */
export const ExportRow = Standing.extend({ day: z.iso.date(), group: pollGroup })
  .meta({ id: "PollExportRow" });
export type ExportRow = z.infer<typeof ExportRow>;
