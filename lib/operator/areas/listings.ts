import { z } from "zod";
import { dropGem, setGem } from "../../discovery/gems.ts";
import { parseInput } from "../../http/input.ts";
import { LIMITS } from "../../limits.ts";
import { listingKeys } from "../../listings/keys.ts";
import type { StoredListing } from "../../listings/schema.ts";
import { userText } from "../../text/clean.ts";
import { changed, type Command, type Commands, shown } from "../command.ts";
import { listCommand, reasonOption, rekeyCommand } from "../command_kinds.ts";
import {
  freeUrl,
  LISTING_STEPS,
  type ListingStep,
  moveListing,
  showListing,
  stepBack,
} from "../listings.ts";
import { restoreListing } from "../restore.ts";
import { manyEntries } from "../selection.ts";
import { voteCommands } from "./votes.ts";

const GemOptions = z.object({ note: userText({ max: LIMITS.gemNoteMax, min: 1 }) });

function step(verb: ListingStep, summary: string): Command {
  const { event, done } = LISTING_STEPS[verb];
  return {
    ...manyEntries("listing", verb === "hide" || verb === "refuse" ? reasonOption : {}),
    summary,
    action: `listing_${event}`,
    undo: async ({ deps, args }) => ({
      verb: await stepBack(deps, { slug: args.slug!, step: verb }),
    }),
    async run({ deps, args, options: { reason } }) {
      const slug = args.slug!;
      const moved = await moveListing(deps, { slug, step: verb, reason });
      return changed(moved, `${slug} is ${done}`, `${slug} is already ${done}`);
    },
  };
}

/** Commands for listings and gems. */
export const listingCommands: Commands = {
  "listings list": listCommand<StoredListing>({
    name: "listings",
    prefix: listingKeys.all,
    states: ["pending", "live", "hidden", "withdrawn"],
    summary: "Listings by state, newest first; pending ones are waiting for approval",
    row: ({ name, url, tagline }) => ({ name, url, tagline }),
    line: ({ url, tagline }) => [url, tagline],
  }),
  "listings show": {
    args: ["slug"],
    summary:
      "A listing's record, except the hash of its edit key; export adds votes, reports and bids",
    async run({ deps, args }) {
      return shown("listing", await showListing(deps, args.slug!));
    },
  },
  "listings approve": step("approve", "Publish a pending listing"),
  "listings refuse": step("refuse", "Reject a pending listing"),
  "listings hide": step(
    "hide",
    "Hide a listing everywhere, cancel its renewals and expire its payment links; no refunds",
  ),
  "listings unhide": step("unhide", "Show a hidden listing again"),
  "listings requeue": step("requeue", "Send a listing back to the approval queue"),
  "listings free": {
    ...manyEntries("listing"),
    summary: "Free the URL of a hidden listing so it can be listed again",
    action: "listing_url_freed",
    async run({ deps, args }) {
      const slug = args.slug!;
      const moved = await freeUrl(deps, slug);
      return changed(moved, `The URL of ${slug} is free`, `The URL of ${slug} is already free`);
    },
  },
  "listings rekey": rekeyCommand("listing"),
  "listings restore": {
    args: ["slug"],
    options: { from: { required: true }, "even-forgotten": { isFlag: true } },
    summary: "Restore one listing from a backup file; its current votes and clicks stay",
    action: "listing_restored",
    async run({ deps, args, options }) {
      const slug = args.slug!;
      const evenForgotten = options["even-forgotten"] !== undefined;
      const moved = await restoreListing(deps, { slug, file: options.from!, evenForgotten });
      return changed(
        moved,
        `${slug} is restored from ${options.from}`,
        `${slug} already matches it`,
      );
    },
  },
  ...voteCommands("listing"),
  "gems set": {
    args: ["slug"],
    options: { note: { required: true } },
    summary: "Make a live listing a hidden gem",
    action: "gem_set",
    undo: () => ({ verb: "drop" }),
    async run({ deps, args, options }) {
      const slug = args.slug!;
      // A paid listing cannot be a gem, so the placements must be loaded first.
      await deps.placements.load();
      await setGem(deps, { slug, ...parseInput(GemOptions, options) });
      return { lines: [`${slug} is a gem`], data: { changed: true } };
    },
  },
  "gems drop": {
    args: ["slug"],
    summary: "End a gem; the scout won't pick it again",
    action: "gem_dropped",
    async run({ deps, args }) {
      const slug = args.slug!;
      await dropGem(deps, slug);
      return { lines: [`${slug} is no longer a gem`], data: { changed: true } };
    },
  },
};
