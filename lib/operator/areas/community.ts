import { hideReason } from "../../poll/service.ts";
import { setSkillHidden } from "../../skills/service.ts";
import { changed, type Command } from "../command.ts";
import { reasonOption } from "./listings.ts";

function skillCommand(verb: "hide" | "unhide"): Command {
  const hidden = verb === "hide";
  return {
    area: "skills",
    verb,
    args: ["slug"],
    options: hidden ? reasonOption : {},
    summary: hidden ? "Take a skill out of every public read" : "Show a hidden skill again",
    action: hidden ? "skill_hidden" : "skill_unhidden",
    async run({ deps, args }) {
      const slug = args.slug!;
      const state = hidden ? "is hidden" : "is live";
      const moved = await setSkillHidden(deps, { slug, hidden });
      return changed(moved, `${slug} ${state}`, `${slug} ${state} already`);
    },
  };
}

/** Commands on skills, the poll and the guestbook. */
export const communityCommands: Command[] = [
  skillCommand("hide"),
  skillCommand("unhide"),
  {
    area: "reasons",
    verb: "hide",
    args: ["day", "id"],
    options: reasonOption,
    summary: "Keep the reason of a ballot private; the vote counts on",
    action: "poll_reason_hidden",
    async run({ deps, args }) {
      const reason = await hideReason(deps, { day: args.day!, id: args.id! });
      return { lines: [`The reason ${args.id} is private`], data: { changed: true, reason } };
    },
  },
];
