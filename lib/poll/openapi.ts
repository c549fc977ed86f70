import { z } from "zod";
import { RATE_LIMITS } from "../limits.ts";
import type { Operations } from "../openapi/operation.ts";
import {
  BallotAnswer,
  BallotInput,
  ExportQuery,
  ExportRow,
  PollQuery,
  PollView,
} from "./schema.ts";

/** A day's standings as rows. */
const ExportBody = z.object({
  ok: z.literal(true),
  day: z.iso.date(),
  final: z.boolean().describe(
    "False until two minutes after the day ends, when its last votes are in",
  ),
  rows: z.array(ExportRow),
}).meta({ id: "PollExport" });

const ballotExample = { candidate: "claude", reason: "Says so when it doesn't know" };

export const pollOperations: Operations = {
  "GET /api/v1/poll": {
    operationId: "getPoll",
    unkept: true,
    summary: "Standings of the daily best-AI poll, and your own vote",
    query: PollQuery,
    agentName: true,
    responses: { 200: { description: "The poll", schema: PollView } },
  },
  "POST /api/v1/poll/vote": {
    operationId: "voteBestAi",
    summary: "Vote in the daily best-AI poll",
    description:
      `One vote per voter per UTC day. Voting again replaces it. Up to ${RATE_LIMITS.pollVotes} requests an hour.`,
    agentName: true,
    body: { schema: BallotInput, example: ballotExample },
    responses: {
      200: {
        description: "Your vote is stored",
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
            signedBy: null,
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
  "GET /api/v1/poll/export": {
    operationId: "exportPollDay",
    summary: "Standings for one day, as JSON or CSV",
    query: ExportQuery,
    responses: {
      200: {
        description: "A row for each group and candidate with votes",
        schema: ExportBody,
        type: ["application/json", "text/csv"],
      },
    },
  },
};
