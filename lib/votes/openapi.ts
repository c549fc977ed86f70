import { RATE_LIMITS, type RateBucket } from "../limits.ts";
import type { Operations } from "../openapi/operation.ts";
import { VoteBody } from "./schema.ts";

/** The operations on one entry's vote at `path`; their ids end in `noun`. */
export function voteOperations(
  { path, noun, slug, bucket }: {
    path: string;
    noun: string;
    slug: string;
    bucket: RateBucket;
  },
): Operations {
  const responses = {
    200: {
      description: "Your vote and the vote count",
      schema: VoteBody,
      example: { ok: true, slug, voted: true, votes: 12, changed: true },
    },
  };
  return {
    [`GET ${path}`]: {
      operationId: `get${noun}Vote`,
      unkept: true,
      summary: "Your vote",
      responses,
    },
    [`POST ${path}`]: {
      operationId: `vote${noun}`,
      summary: "Upvote",
      description: `One vote per voter. Voting again changes nothing. Up to ${
        RATE_LIMITS[bucket]
      } vote actions an hour.`,
      responses,
      errors: ["rate_limited"],
    },
    [`DELETE ${path}`]: {
      operationId: `unvote${noun}`,
      summary: "Remove your vote",
      responses,
      errors: ["rate_limited"],
    },
  };
}
