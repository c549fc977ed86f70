import type { Span } from "../../clock.ts";
import type { EntryKind } from "../../entries/entries.ts";
import { DomainError } from "../../errors.ts";
import { plural } from "../../text/count.ts";
import { changed, type Command, type CommandInput, type Commands, listed } from "../command.ts";
import { reasonOption } from "../command_kinds.ts";
import { manyEntries } from "../selection.ts";

type Deps = CommandInput["deps"];

const SPAN = {
  from: { isTime: true, required: true },
  until: { isTime: true, required: true },
};

/** An end that is left out is open. */
const OPEN_SPAN = { from: { isTime: true }, until: { isTime: true } };

/**
 * The span (ms) from the options. An end that is left out is open. Throws `invalid_input` if it
 * ends before it begins.
 */
function readSpan(options: CommandInput["options"]): Span {
  const from = options.from === undefined ? -Infinity : Date.parse(options.from);
  const until = options.until === undefined ? Infinity : Date.parse(options.until);
  if (until <= from) {
    const message = "--until must be later than --from";
    throw new DomainError("invalid_input", [{ field: "until", message }]);
  }
  return { from, until };
}

/**
 * The commands that hold, list and release what came in during a time span: ballots, check-ins, or
 * the votes for entries of a kind.
 */
export function holdCommands(area: string, options: {
  noun: string;
  action: string;
  /** The kind of entries that are voted for. */
  kind?: EntryKind;
  setHeld: (deps: Deps, span: Span, held: boolean, slug: string) => Promise<number>;
  list: (deps: Deps) => Promise<({ held?: number } & Record<string, string | number>)[]>;
}): Commands {
  const { noun, action, kind, setHeld, list } = options;
  const target = (own: Command["options"]) => kind ? manyEntries(kind, own) : { options: own };
  const what = kind ? `votes for a ${kind}` : `${noun}s`;
  const run = (verb: "held" | "released"): Command["run"] => async ({ deps, args, options }) => {
    const count = await setHeld(deps, readSpan(options), verb === "held", args.slug!);
    const whose = kind ? ` for ${args.slug}` : "";
    const none = verb === "held"
      ? `There are no counted ${noun}s${whose} from that time`
      : `There are no held ${noun}s${whose}`;
    const done = `${plural(count, noun)}${whose} ${verb}`;
    return changed(count > 0, done, none, { [verb]: count });
  };
  return {
    [`${area} hold`]: {
      ...target({ ...SPAN, ...reasonOption }),
      summary: `Stop counting the ${what} from a time span, until you release them`,
      action: `${action}_held`,
      // Releases everything held in its span, even by an earlier hold.
      undo: ({ options: { from, until } }) => ({
        verb: "release",
        options: { from: from!, until: until! },
      }),
      run: run("held"),
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
      ...target(OPEN_SPAN),
      summary: `Count all held ${what} again, or those from a time span`,
      action: `${action}_released`,
      run: run("released"),
    },
  };
}
