import type { EntryKind } from "../../entries/entries.ts";
import { plural } from "../../text/count.ts";
import { setVotesHeld } from "../../votes/held.ts";
import { changed, type Commands, listed, shown } from "../command.ts";
import {
  openSpanOptions,
  readSpan,
  reasonOption,
  spanOptions,
  undoHold,
} from "../command_kinds.ts";
import { manyEntries } from "../selection.ts";
import { listHeld, listRings, readVoteFigures, requirePublished } from "../votes.ts";

/** Commands for the votes of listings or skills. */
export function voteCommands(kind: EntryKind): Commands {
  const area = `${kind}s`;
  return {
    [`${area} rings`]: {
      summary: `Live ${area} with votes that look coordinated`,
      async run({ deps }) {
        const rings = await listRings(deps, kind);
        return listed("rings", rings, `${rings.length} suspicious`, (ring) => {
          const { slug, publishedAt, votes, withinFirstMinute, votersByNetwork } = ring;
          return `${publishedAt}  ${slug}  ${plural(votes, "vote")}, ` +
            `${withinFirstMinute} in the first minute, ${votersByNetwork[0] ?? 0} from one network`;
        });
      },
    },
    [`${area} votes`]: {
      args: ["slug"],
      summary:
        `When a ${kind} got its votes, and from how many networks; suspicious means they look coordinated`,
      async run({ deps, args }) {
        return shown("figures", await readVoteFigures(deps, { kind, slug: args.slug! }));
      },
    },
    [`${area} hold`]: {
      ...manyEntries(kind, { ...spanOptions, ...reasonOption }),
      summary: `Stop counting the votes a ${kind} got in a time span, until you release them`,
      action: `${kind}_votes_held`,
      undo: undoHold,
      async run({ deps, args, options }) {
        const slug = args.slug!;
        await requirePublished(deps, { kind, slug });
        const votes = { kind, slug, ...readSpan(options), held: true };
        const held = await setVotesHeld(deps.store, votes);
        const done = `${plural(held, "vote")} for ${slug} held`;
        return changed(held > 0, done, `${slug} has no counted votes from that time`, { held });
      },
    },
    [`${area} held`]: {
      summary: `List the ${area} with held votes`,
      async run({ deps }) {
        const held = await listHeld(deps, kind);
        return listed("held", held, `${held.length} with held votes`, ({ slug, held }) => {
          return `${plural(held, "vote")}  ${slug}`;
        });
      },
    },
    [`${area} release`]: {
      ...manyEntries(kind, openSpanOptions),
      summary: `Count all held votes for a ${kind} again, or those from a time span`,
      action: `${kind}_votes_released`,
      async run({ deps, args, options }) {
        const slug = args.slug!;
        await requirePublished(deps, { kind, slug });
        const votes = { kind, slug, ...readSpan(options), held: false };
        const released = await setVotesHeld(deps.store, votes);
        const done = `${plural(released, "vote")} for ${slug} released`;
        return changed(released > 0, done, `${slug} has no held votes`, { released });
      },
    },
  };
}
