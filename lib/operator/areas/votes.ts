import type { EntryKind } from "../../entries/entries.ts";
import { plural } from "../../text/count.ts";
import { setVotesHeld } from "../../votes/held.ts";
import { type Commands, listed, shown } from "../command.ts";
import { listHeld, listRings, readVoteFigures, requirePublished } from "../votes.ts";
import { holdCommands } from "./holds.ts";

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
    ...holdCommands(area, {
      noun: "vote",
      action: `${kind}_votes`,
      kind,
      async setHeld(deps, span, held, slug) {
        await requirePublished(deps, { kind, slug });
        return await setVotesHeld(deps.store, { kind, slug, ...span, held });
      },
      list: (deps) => listHeld(deps, kind),
    }),
  };
}
