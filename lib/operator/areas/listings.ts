import { dropGem, setGem } from "../../discovery/gems.ts";
import { parseInput } from "../../http/input.ts";
import { LIMITS } from "../../limits.ts";
import { listingKeys } from "../../listings/keys.ts";
import type { StoredListing } from "../../listings/schema.ts";
import { userText } from "../../text/clean.ts";
import { changed, type Command } from "../command.ts";
import { forgetCommand, listCommand, reasonOption, rekeyCommand } from "../command_kinds.ts";
import {
  forgetSubmitter,
  freeUrl,
  LISTING_STEPS,
  type ListingStep,
  moveListing,
  showListing,
} from "../listings.ts";
import { voteCommands } from "./votes.ts";

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
  rekeyCommand("listings", "listing"),
  ...voteCommands("listings"),
  {
    area: "gems",
    verb: "set",
    args: ["slug"],
    options: { note: { required: true } },
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
    summary: "End a gem; the scout does not pick it again",
    action: "gem_dropped",
    async run({ deps, args }) {
      const slug = args.slug!;
      await dropGem(deps, { slug });
      return { lines: [`${slug} is no gem now`], data: { changed: true } };
    },
  },
];
