import type { EntryKind } from "../../entries/entries.ts";
import { plural } from "../../text/count.ts";
import { holdVotes, releaseVotes } from "../../votes/held.ts";
import { changed, type Command } from "../command.ts";
import { readSpan, reasonOption, spanOptions } from "../command_kinds.ts";
import { listHeld, listRings, readVoteFigures, requirePublished } from "../votes.ts";

const KINDS = { listings: "listing", skills: "skill" } as const satisfies Record<
  string,
  EntryKind
>;

/** Commands on the votes of listings or skills. */
export function voteCommands(area: keyof typeof KINDS): Command[] {
  const kind = KINDS[area];
  return [
    {
      area,
      verb: "rings",
      summary:
        `Live ${area} whose votes look like a ring's, by their first week or by one network's votes since yesterday`,
      async run({ deps }) {
        const rings = await listRings(deps, kind);
        return {
          lines: [
            ...rings.map(({ slug, publishedAt, votes, withinFirstMinute, votersByNetwork }) =>
              `${publishedAt}  ${slug}  ${plural(votes, "vote")}, ` +
              `${withinFirstMinute} in the first minute, ${votersByNetwork[0] ?? 0} of one network`
            ),
            `${rings.length} suspicious`,
          ],
          data: { rings },
        };
      },
    },
    {
      area,
      verb: "votes",
      args: ["slug"],
      summary:
        `When and from how many networks a ${kind} was voted for; suspicious is what a ring looks like`,
      async run({ deps, args }) {
        const figures = await readVoteFigures(deps, { kind, slug: args.slug! });
        return { lines: [JSON.stringify(figures, null, 2)], data: { figures } };
      },
    },
    {
      area,
      verb: "hold",
      args: ["slug"],
      options: { ...spanOptions, ...reasonOption },
      summary: `Take the votes that a ${kind} got in a span out of its count, until release`,
      action: `${kind}_votes_held`,
      async run({ deps, args, options }) {
        const slug = args.slug!;
        await requirePublished(deps, { kind, slug });
        const held = await holdVotes(deps.store, { kind, slug, ...readSpan(options) });
        const done = `${plural(held, "vote")} for ${slug} held`;
        const outcome = changed(held > 0, done, `${slug} has no vote of that time that counts`);
        return { ...outcome, data: { ...outcome.data, held } };
      },
    },
    {
      area,
      verb: "held",
      summary: `The ${area} with votes that are held`,
      async run({ deps }) {
        const held = await listHeld(deps, kind);
        return {
          lines: [
            ...held.map(({ slug, held }) => `${plural(held, "vote")}  ${slug}`),
            `${held.length} with held votes`,
          ],
          data: { held },
        };
      },
    },
    {
      area,
      verb: "release",
      args: ["slug"],
      summary: `Let all votes for a ${kind} that are held count again`,
      action: `${kind}_votes_released`,
      async run({ deps, args }) {
        const slug = args.slug!;
        await requirePublished(deps, { kind, slug });
        const released = await releaseVotes(deps.store, { kind, slug });
        const done = `${plural(released, "vote")} for ${slug} released`;
        const outcome = changed(released > 0, done, `No vote for ${slug} is held`);
        return { ...outcome, data: { ...outcome.data, released } };
      },
    },
  ];
}
