import { z } from "zod";

/** The response to every vote operation: the caller's vote, and the count after it. */
export const VoteBody = z.object({
  ok: z.literal(true),
  slug: z.string(),
  voted: z.boolean(),
  votes: z.int().min(0),
  changed: z.boolean(),
}).meta({ id: "Vote" });
/** The same, as services return it. */
export type VoteState = Omit<z.output<typeof VoteBody>, "ok">;
