import type { Span } from "../../clock.ts";
import { listHeldCheckIns, setCheckInsHeld } from "../../guestbook/held.ts";
import { listHeldBallots, setBallotsHeld } from "../../poll/held.ts";
import { plural } from "../../text/count.ts";
import { changed, type CommandInput, type Commands, listed } from "../command.ts";
import {
  openSpanOptions,
  readSpan,
  reasonOption,
  spanOptions,
  undoHold,
} from "../command_kinds.ts";

type Deps = CommandInput["deps"];

/** The commands that hold, list and release ballots or check-ins from a time span. */
function commandsFor(area: string, options: {
  noun: string;
  action: string;
  setHeld: (deps: Deps, span: Span, held: boolean) => Promise<number>;
  list: (deps: Deps) => Promise<({ held?: number } & Record<string, string | number>)[]>;
}): Commands {
  const { noun, action, setHeld, list } = options;
  return {
    [`${area} hold`]: {
      options: { ...spanOptions, ...reasonOption },
      summary: `Stop counting the ${noun}s from a time span, until you release them`,
      action: `${action}_held`,
      undo: undoHold,
      async run({ deps, options }) {
        const held = await setHeld(deps, readSpan(options), true);
        const done = `${plural(held, noun)} held`;
        return changed(held > 0, done, `There is no ${noun} from that time`, { held });
      },
    },
    [`${area} held`]: {
      summary: `Held ${noun}s`,
      async run({ deps }) {
        const held = await list(deps);
        const total = held.reduce((sum, { held = 1 }) => sum + held, 0);
        return listed("held", held, `${plural(total, noun)} held`, (row) => {
          return Object.values(row).join("  ");
        });
      },
    },
    [`${area} release`]: {
      options: openSpanOptions,
      summary: `Count all held ${noun}s again, or those from a time span`,
      action: `${action}_released`,
      async run({ deps, options }) {
        const released = await setHeld(deps, readSpan(options), false);
        const done = `${plural(released, noun)} released`;
        return changed(released > 0, done, `There are no held ${noun}s`, { released });
      },
    },
  };
}

/** Commands that hold what came in during a time span. */
export const holdCommands: Commands = {
  ...commandsFor("ballots", {
    noun: "ballot",
    action: "poll_ballots",
    setHeld: setBallotsHeld,
    list: listHeldBallots,
  }),
  ...commandsFor("checkins", {
    noun: "check-in",
    action: "check_ins",
    setHeld: setCheckInsHeld,
    list: listHeldCheckIns,
  }),
};
