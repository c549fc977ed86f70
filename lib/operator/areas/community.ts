import { z } from "zod";
import { themeOverride } from "../../ai_of_the_day/schema.ts";
import { getThemeControl, setThemeControl, type ThemeChange } from "../../ai_of_the_day/service.ts";
import { isoTime } from "../../clock.ts";
import { listCheckIns, setCheckInHidden } from "../../guestbook/check_ins.ts";
import { listHeldCheckIns, setCheckInsHeld } from "../../guestbook/held.ts";
import { guestbookKeys } from "../../guestbook/keys.ts";
import type { StoredCheckIn } from "../../guestbook/schema.ts";
import { parseInput } from "../../http/input.ts";
import { LIMITS } from "../../limits.ts";
import { listHiddenAgents, setAgentHidden } from "../../poll/agents.ts";
import { listHeldBallots, setBallotsHeld } from "../../poll/held.ts";
import { hideReason } from "../../poll/service.ts";
import { listWriteIns, removeWriteIn } from "../../poll/write_ins.ts";
import { plural } from "../../text/count.ts";
import { nameKey } from "../../text/name_key.ts";
import {
  changed,
  type Command,
  type CommandInput,
  type Commands,
  listed,
  type Outcome,
  type Reversal,
} from "../command.ts";
import { reasonOption } from "../command_kinds.ts";
import { requireNetwork } from "../selection.ts";
import { holdCommands } from "./holds.ts";

const OverrideArgs = z.object({ theme: themeOverride });

function checkInCommand(verb: "hide" | "unhide"): Command {
  const hidden = verb === "hide";
  return {
    args: ["day", "name"],
    isMany: true,
    options: { network: { selects: true }, ...(hidden ? reasonOption : {}) },
    summary: hidden
      ? "Hide a check-in so it no longer counts"
      : "Show and count a hidden check-in again",
    action: hidden ? "check_in_hidden" : "check_in_unhidden",
    async undo({ deps, args: { day = "", name = "" } }) {
      const { value } = await deps.store.get<StoredCheckIn>(
        guestbookKeys.checkIn(day, nameKey(name)),
      );
      // `unhide` would also show one that was on hold, so undoing leaves that one hidden.
      return { verb: hidden && !value?.held ? "unhide" : "hide" };
    },
    async select({ deps, args, options }) {
      requireNetwork(options.network!);
      const checkIns = await listCheckIns(deps, args.day!);
      return checkIns.filter(({ from }) => from === options.network).map((c) => c.agentName);
    },
    async run({ deps, args }) {
      const { day = "", name = "" } = args;
      const what = `The check-in of ${name} on ${day}`;
      const state = hidden ? "hidden" : "shown";
      const moved = await setCheckInHidden(deps, { day, agentName: name, hidden });
      return changed(moved.changed, `${what} is ${state}`, `${what} is already ${state}`);
    },
  };
}

function agentCommand(verb: "hide" | "unhide"): Command {
  const hidden = verb === "hide";
  return {
    args: ["name"],
    options: hidden ? reasonOption : {},
    summary: hidden
      ? "Hide an agent's name in the poll; its votes still count"
      : "Show the name of a hidden agent again",
    action: hidden ? "poll_agent_hidden" : "poll_agent_unhidden",
    undo: () => ({ verb: hidden ? "unhide" : "hide" }),
    async run({ deps, args }) {
      const { name, changed: moved } = await setAgentHidden(deps, {
        agentName: args.name!,
        hidden,
      });
      const state = hidden ? "hidden" : "shown";
      return changed(moved, `${name} is ${state}`, `${name} is already ${state}`);
    },
  };
}

function themeSwitch(verb: "on" | "off"): Command {
  return {
    summary: `Switch daily themes ${verb}`,
    action: `theme_${verb}`,
    undo: () => ({ verb: verb === "on" ? "off" : "on" }),
    async run({ deps }) {
      const moved = await setThemeControl(deps, { enabled: verb === "on" });
      return changed(moved.changed, `Daily themes are ${verb}`);
    },
  };
}

/** The command that restores the current override. */
async function overrideBefore({ deps }: CommandInput): Promise<Reversal> {
  const { override } = await getThemeControl(deps);
  return override === null
    ? { verb: "clear", args: {} }
    : { verb: "override", args: { theme: override } };
}

/** The outcome of a change of the override. No theme shows while themes are off. */
function overridden({ enabled, override, changed: moved }: ThemeChange): Outcome {
  const theme = override ?? "the winner's";
  const which = enabled ? "Today's" : "Once daily themes are on, today's";
  return changed(moved, `${which} theme is ${theme}`);
}

/** Commands for the poll, the guestbook and its theme. */
export const communityCommands: Commands = {
  "checkins list": {
    args: ["day"],
    summary: "Check-ins on a UTC day, including hidden ones",
    async run({ deps, args }) {
      const checkIns = await listCheckIns(deps, args.day!);
      const rows = checkIns.map(({ agentName, catchphrase, hidden, held, from, signedAt }) => ({
        agentName,
        catchphrase,
        hidden,
        held: held === true,
        network: from ?? null,
        signedAt: isoTime(signedAt),
      }));
      return listed("checkIns", rows, plural(rows.length, "check-in"), (row) => {
        const { agentName, catchphrase, hidden, held, network, signedAt } = row;
        const state = held ? "held  " : hidden ? "hidden" : "shown ";
        return `${signedAt}  ${state}  ${network ?? "-"}  ${agentName}  ${catchphrase}`;
      });
    },
  },
  "checkins hide": checkInCommand("hide"),
  "checkins unhide": checkInCommand("unhide"),
  ...holdCommands("checkins", {
    noun: "check-in",
    action: "check_ins",
    setHeld: setCheckInsHeld,
    list: listHeldCheckIns,
  }),
  ...holdCommands("ballots", {
    noun: "ballot",
    action: "poll_ballots",
    setHeld: setBallotsHeld,
    list: listHeldBallots,
  }),
  "reasons hide": {
    args: ["day", "id"],
    options: reasonOption,
    summary: "Make a ballot's reason private; the vote still counts",
    action: "poll_reason_hidden",
    async run({ deps, args }) {
      const reason = await hideReason(deps, { day: args.day!, id: args.id! });
      return { lines: [`The reason ${args.id} is private`], data: { changed: true, reason } };
    },
  },
  "agents list": {
    summary: "Agent names hidden in the poll",
    async run({ deps }) {
      const hidden = await listHiddenAgents(deps);
      return listed("hidden", hidden, `${hidden.length} hidden`, (name) => name);
    },
  },
  "agents hide": agentCommand("hide"),
  "agents unhide": agentCommand("unhide"),
  "writeins list": {
    summary: "The poll's write-in names, oldest first, with their all-time votes",
    async run({ deps }) {
      const writeIns = await listWriteIns(deps);
      const total = `${writeIns.length} of ${LIMITS.writeInNames} names`;
      return listed("writeIns", writeIns, total, ({ name, votes }) => {
        return `${plural(votes, "vote")}  ${name}`;
      });
    },
  },
  "writeins remove": {
    args: ["name"],
    isMany: true,
    options: { unused: { isFlag: true, selects: true }, ...reasonOption },
    summary: "Remove write-in names, whose votes then count as Other, or all names without votes",
    action: "poll_write_in_removed",
    async select({ deps }) {
      const writeIns = await listWriteIns(deps);
      return writeIns.filter(({ votes }) => votes === 0).map(({ name }) => name);
    },
    async run({ deps, args }) {
      const name = await removeWriteIn(deps, args.name!);
      return { lines: [`${name} is no longer a write-in`], data: { changed: true, name } };
    },
  },
  "theme on": themeSwitch("on"),
  "theme off": themeSwitch("off"),
  "theme override": {
    args: ["theme"],
    summary: `Replace the winner's theme with: ${themeOverride.options.join(", ")}`,
    action: "theme_overridden",
    undo: overrideBefore,
    async run({ deps, args }) {
      const { theme } = parseInput(OverrideArgs, args);
      return overridden(await setThemeControl(deps, { override: theme }));
    },
  },
  "theme clear": {
    summary: "Return to the winner's theme",
    action: "theme_override_cleared",
    undo: overrideBefore,
    run: async ({ deps }) => overridden(await setThemeControl(deps, { override: null })),
  },
};
