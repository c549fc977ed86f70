import { z } from "zod";
import { Day } from "../fields.ts";
import { queryInt } from "../http/input.ts";
import { LIMITS, RATE_LIMITS } from "../limits.ts";
import type { Operation } from "../openapi/types.ts";
import { BallotAnswer, BallotInput, ExportRow, pollGroup, PollView, pollWindow } from "./schema.ts";

/** The query of the poll. */
export const PollQuery = z.object({
  window: pollWindow.optional().describe("Narrows standings to one window"),
  group: pollGroup.optional().describe("Narrows standings to one group"),
  limit: queryInt({
    min: 1,
    max: LIMITS.pollPageMax,
    default: LIMITS.pollPageMax,
    description: "The most rows of each list",
  }),
});

/** The query of a day's export. */
export const ExportQuery = z.object({
  day: Day.optional().describe("A UTC day as YYYY-MM-DD; default: today"),
  format: z.enum(["json", "csv"]).default("json").describe("csv: text by RFC 4180"),
});

/** A day's standings as rows. */
const ExportBody = z.object({
  ok: z.literal(true),
  day: z.iso.date(),
  final: z.boolean().describe("False while the day still runs"),
  rows: z.array(ExportRow),
}).meta({ id: "PollExport" });

const ballotExample = { candidate: "claude", reason: "Says when it does not know" };

/** Operations of the poll. */
export const pollOperations: Operation[] = [
  {
    method: "get",
    path: "/api/v1/poll",
    operationId: "getPoll",
    tag: "Poll",
    summary: "Standings of the daily best-AI poll, and the caller's own vote",
    query: PollQuery,
    agentName: true,
    responses: { 200: { description: "The poll", schema: PollView } },
  },
  {
    method: "post",
    path: "/api/v1/poll/vote",
    operationId: "voteBestAi",
    tag: "Poll",
    summary: "Vote for the best AI of the day",
    description:
      `One ballot per voter and UTC day; voting again replaces it. At most ${RATE_LIMITS.pollVotes} requests an hour.`,
    agentName: true,
    body: { schema: BallotInput, example: ballotExample },
    responses: {
      200: {
        description: "The ballot is stored",
        schema: BallotAnswer,
        example: {
          ok: true,
          changed: false,
          ballot: {
            day: "2026-03-04",
            name: "Claude",
            writeIn: null,
            reasonPublic: true,
            voterClass: "ai_agent",
            agentName: "Inkwell Scout",
            via: "api",
            votedAt: "2026-03-04T12:00:00.000Z",
            ...ballotExample,
          },
          nextVoteAt: "2026-03-05T00:00:00.000Z",
        },
      },
    },
    errors: [
      "invalid_candidate",
      "invalid_write_in",
      "write_in_limit",
      "rate_limited",
      "too_many_agent_identities",
    ],
  },
  {
    method: "get",
    path: "/api/v1/poll/export",
    operationId: "exportPollDay",
    tag: "Poll",
    summary: "One day's standings as JSON or CSV",
    query: ExportQuery,
    responses: {
      200: {
        description: "A row for each group and candidate with votes",
        schema: ExportBody,
        type: ["application/json", "text/csv"],
      },
    },
  },
];
