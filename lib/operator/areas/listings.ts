import { isoTime } from "../../clock.ts";
import { parseInput } from "../../http/input.ts";
import { LIMITS } from "../../limits.ts";
import { listingKeys } from "../../listings/keys.ts";
import type { StoredListing } from "../../listings/schema.ts";
import { reasonClass } from "../actions.ts";
import { changed, type Command, type CommandInput } from "../command.ts";
import { dropGem, setGem } from "../../discovery/gems.ts";
import { userText } from "../../text/clean.ts";
import {
  forgetSubmitter,
  freeUrl,
  LISTING_STEPS,
  type ListingStep,
  listInState,
  moveListing,
  readVoteFigures,
  showListing,
} from "../listings.ts";

/** The option that gives the reason, which the public log shows. */
export const reasonOption = {
  reason: {
    describe: "Why, for the public log",
    values: reasonClass.options,
    default: "other",
  },
};

const gemNote = userText({ max: LIMITS.gemNoteMax, min: 1 });

const DONE: Record<ListingStep, string> = {
  approve: "is live",
  refuse: "is refused",
  hide: "is hidden",
  unhide: "is live again",
};

function step(verb: ListingStep, summary: string): Command {
  return {
    area: "listings",
    verb,
    args: ["slug"],
    options: verb === "hide" || verb === "refuse" ? reasonOption : {},
    summary,
    action: `listing_${LISTING_STEPS[verb].event}`,
    async run({ deps, args }) {
      const slug = args.slug!;
      const moved = await moveListing(deps, { slug, step: verb });
      return changed(moved, `${slug} ${DONE[verb]}`, `${slug} ${DONE[verb]} already`);
    },
  };
}

/** A command that lists records in one of `states` (by default the first), the newest first. */
export function listCommand<T extends { state: string; createdAt: number }>(
  options: {
    area: string;
    prefix: Deno.KvKey;
    states: readonly string[];
    summary: string;
    /**
     * The fields that are shown of a record, beside its date: as data (`row`), and in its line
     * (`line`).
     */
    row: (record: T) => Record<string, string>;
    line: (record: T) => string[];
  },
): Command {
  const { area, prefix, states, summary, row, line } = options;
  return {
    area,
    verb: "list",
    options: {
      state: { describe: "Which ones", values: states, default: states[0]! },
      limit: { describe: "How many at most", default: "50", isCount: true },
    },
    summary,
    async run({ deps, options }) {
      const state = options.state!;
      const limit = Number(options.limit);
      const { items, total } = await listInState<T>(deps, { prefix, state, limit });
      return {
        lines: [
          ...items.map((record) => [isoTime(record.createdAt), ...line(record)].join("  ")),
          `${total} ${state}`,
        ],
        data: {
          [area]: items.map((record) => ({ ...row(record), createdAt: isoTime(record.createdAt) })),
          total,
        },
      };
    },
  };
}

/** A command that deletes the names of the people behind a record. */
export function forgetCommand(
  area: string,
  options: {
    summary: string;
    action: string;
    forget: (deps: CommandInput["deps"], options: { slug: string }) => Promise<boolean>;
  },
): Command {
  const { summary, action, forget } = options;
  return {
    area,
    verb: "forget",
    args: ["slug"],
    summary,
    action,
    async run({ deps, args }) {
      const slug = args.slug!;
      const moved = await forget(deps, { slug });
      return changed(moved, `${slug} names nobody now`, `${slug} names nobody already`);
    },
  };
}

/** Commands on listings and gems. */
export const listingCommands: Command[] = [
  listCommand<StoredListing>({
    area: "listings",
    prefix: listingKeys.all,
    states: ["pending", "live", "hidden"],
    summary: "Listings in a state, the newest first; the pending ones are the queue",
    row: ({ slug, name, url, tagline }) => ({ slug, name, url, tagline }),
    line: ({ slug, url, tagline }) => [slug, url, tagline],
  }),
  {
    area: "listings",
    verb: "show",
    args: ["slug"],
    summary: "Everything stored about a listing, but for the hash of its key",
    async run({ deps, args }) {
      const listing = await showListing(deps, args.slug!);
      return { lines: [JSON.stringify(listing, null, 2)], data: { listing } };
    },
  },
  {
    area: "listings",
    verb: "votes",
    args: ["slug"],
    summary:
      "When and from how many networks a listing was voted for; suspicious is what a ring looks like",
    async run({ deps, args }) {
      const figures = await readVoteFigures(deps, args.slug!);
      return { lines: [JSON.stringify(figures, null, 2)], data: { figures } };
    },
  },
  step("approve", "Publish a pending listing"),
  step("refuse", "Turn a pending listing down"),
  step(
    "hide",
    "Take a listing out of every public read, cancel its renewals, expire open links; no refund",
  ),
  step("unhide", "Show a hidden listing again"),
  {
    area: "listings",
    verb: "free",
    args: ["slug"],
    summary: "Let the URL of a hidden listing be listed anew, by whoever it belongs to",
    action: "listing_url_freed",
    async run({ deps, args }) {
      const slug = args.slug!;
      const moved = await freeUrl(deps, { slug });
      return changed(moved, `${slug} holds no URL now`, `${slug} holds no URL already`);
    },
  },
  forgetCommand("listings", {
    summary: "Delete the contact email and the submitter's name of a listing, for good",
    action: "listing_submitter_forgotten",
    forget: forgetSubmitter,
  }),
  {
    area: "gems",
    verb: "set",
    args: ["slug"],
    options: { note: { describe: "Why it is one, in a sentence", required: true } },
    summary: "Make a live listing a hidden gem",
    action: "gem_set",
    async run({ deps, args, options }) {
      const slug = args.slug!;
      // A paid listing cannot be a gem, so the placements must be known.
      await deps.placements.load();
      await setGem(deps, { slug, note: parseInput(gemNote, options.note) });
      return { lines: [`${slug} is a gem`], data: { changed: true } };
    },
  },
  {
    area: "gems",
    verb: "drop",
    args: ["slug"],
    summary: "End a gem",
    action: "gem_dropped",
    async run({ deps, args }) {
      const slug = args.slug!;
      await dropGem(deps, { slug });
      return { lines: [`${slug} is no gem now`], data: { changed: true } };
    },
  },
];
