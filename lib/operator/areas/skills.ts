import { skillKeys } from "../../skills/keys.ts";
import type { StoredSkill } from "../../skills/schema.ts";
import { setSkillHidden, showSkill } from "../../skills/service.ts";
import { changed, type Command, type Commands, shown } from "../command.ts";
import { listCommand, reasonOption, rekeyCommand } from "../command_kinds.ts";
import { manyEntries } from "../selection.ts";
import { voteCommands } from "./votes.ts";

function skillCommand(verb: "hide" | "unhide"): Command {
  const hidden = verb === "hide";
  return {
    ...manyEntries("skill", hidden ? reasonOption : {}),
    summary: hidden ? "Hide a skill everywhere" : "Show a hidden skill again",
    action: hidden ? "skill_hidden" : "skill_unhidden",
    undo: () => ({ verb: hidden ? "unhide" : "hide" }),
    async run({ deps, args }) {
      const slug = args.slug!;
      const state = hidden ? "hidden" : "live";
      const moved = await setSkillHidden(deps, { slug, hidden });
      return changed(moved, `${slug} is ${state}`, `${slug} is already ${state}`);
    },
  };
}

/** Commands for skills. */
export const skillCommands: Commands = {
  "skills list": listCommand<StoredSkill>({
    name: "skills",
    prefix: skillKeys.all,
    states: ["hidden", "live", "withdrawn"],
    summary: "Skills by state, newest first",
    row: ({ title, summary }) => ({ title, summary }),
    line: ({ summary }) => [summary],
  }),
  "skills hide": skillCommand("hide"),
  "skills unhide": skillCommand("unhide"),
  "skills show": {
    args: ["slug"],
    summary: "A skill's record, except the hash of its edit key; export adds its content and votes",
    async run({ deps, args }) {
      return shown("skill", await showSkill(deps, args.slug!));
    },
  },
  "skills rekey": rekeyCommand("skill"),
  ...voteCommands("skill"),
};
