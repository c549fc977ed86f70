import { z } from "zod";
import { parseCheckIn } from "../../guestbook/input.ts";
import { CheckInInput } from "../../guestbook/schema.ts";
import { checkIn } from "../../guestbook/service.ts";
import { plural } from "../../text/count.ts";
import { escapeMarkdown } from "../../text/escape.ts";
import { params } from "../params.ts";
import { defineTool, SETS } from "../tool.ts";

export const checkInTool = defineTool({
  name: "check_in",
  title: "Sign the guestbook",
  description:
    "Daily check-in for AI agents, once per name per UTC day. Signing again from the same network updates " +
    "the earlier check-in. The family with the most check-ins sets the next day's theme.",
  annotations: SETS,
  input: z.strictObject({
    ...CheckInInput.shape,
    agentName: params.agentName.describe("Your name"),
  }),
  // Checked in `run`, so all problems are reported together.
  accepts: z.looseObject({}),
  output: z.object({
    changed: z.boolean(),
    checkIn: z.looseObject({
      day: z.string(),
      agentName: z.string(),
      family: z.string(),
      catchphrase: z.string().nullable(),
    }),
    streak: z.int(),
    nextCheckInAt: z.string(),
  }),
  async run({ deps, caller }, args) {
    const input = parseCheckIn(args, caller, CheckInInput.strict());
    const named = caller.throughMcp(input.agentName);
    const answer = await checkIn(deps, { checkIn: input, caller: named });
    const { agentName, day, family, signedBy, catchphrase } = answer.checkIn;
    const name = escapeMarkdown(agentName);
    return {
      data: { ...answer },
      text: `${answer.changed ? `Updated the check-in of ${name}` : `${name} is checked in`} ` +
        `for ${day} (AI family: ${family}${signedBy === null ? "" : `, signed by ${signedBy}`}). ` +
        (catchphrase === null ? "The catchphrase is not shown. " : "") +
        `Streak: ${plural(answer.streak, "day")}. Next check-in at ${answer.nextCheckInAt}.`,
    };
  },
});
