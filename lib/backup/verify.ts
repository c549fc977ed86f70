import { firstBrokenEntry, type HistoryEntry } from "../auctions/history.ts";
import { auctionKeys } from "../auctions/keys.ts";
import type { StoredAuction } from "../auctions/schema.ts";
import type { EntryKind } from "../entries/entries.ts";
import { dryRunKv } from "../kv/dry_run.ts";
import { listValues } from "../kv/ranges.ts";
import { Store } from "../kv/store.ts";
import { listingKeys } from "../listings/keys.ts";
import type { StoredListing } from "../listings/schema.ts";
import { skillKeys } from "../skills/keys.ts";
import type { StoredSkill, StoredVersion } from "../skills/schema.ts";
import { type StoredText, unpackText } from "../skills/stored_text.ts";
import { plural } from "../text/count.ts";
import { sha256 } from "../text/digest.ts";
import { urlKey } from "../text/url_identity.ts";
import { isHeld, voteKeys, voteRanges } from "../votes/keys.ts";
import type { Progress } from "./copy.ts";
import { checkGuestbook, checkPoll, checkReasons } from "./verify_community.ts";
import {
  checkCount,
  countEntries,
  type Difference,
  forEach,
  judge,
  type Run,
} from "./verify_run.ts";

/**
 * Recomputes every counter and index from the primary records and reports differences; `repair`
 * corrects them. Each suspected difference is checked again in its own transaction, so servers can
 * keep writing.
 */
export async function verify(
  stored: Store,
  { repair = false, progress }: { repair?: boolean; progress?: Progress } = {},
): Promise<Difference[]> {
  const store = repair ? stored : new Store(dryRunKv(stored.kv), stored.clock);
  const run: Run = { store, repair, differences: [] };
  const steps: [string, (run: Run) => Promise<number>][] = [
    ["listings", checkListings],
    ["reserved URLs", checkUrls],
    ["skills", checkSkills],
    ["reserved contents", checkContents],
    ["versions of skills", checkVersions],
    ["ballots", checkPoll],
    ["poll reasons", checkReasons],
    ["check-ins", checkGuestbook],
    ["auctions", checkAuctions],
  ];
  for (const [name, step] of steps) {
    const n = await step(run);
    progress?.(`${name}: ${n}`);
  }
  return run.differences;
}

function checkListings(run: Run): Promise<number> {
  return forEach<StoredListing>(run, listingKeys.all, async ({ value: { slug, url, state } }) => {
    await checkVotes(run, "listing", slug);
    if (state === "withdrawn") return;
    await judge(run, async (tx) => {
      const [record, held] = await tx.getMany<unknown>([
        listingKeys.one(slug),
        listingKeys.byUrl(urlKey(url)),
      ]);
      const listing = record!.value as StoredListing | null;
      if (listing === null || listing.url !== url) return null;
      // The operator may have freed the URL of a hidden listing.
      if (held!.value === slug || listing.state === "hidden") return null;
      if (held!.value !== null && held!.value === listing.sameUrlAs) return null;
      const what = `The URL of listing ${slug} is reserved for ${
        held!.value ?? "nobody"
      }, not for ${slug}`;
      return { what, mend: held!.value === null ? () => tx.set(held!.key, slug) : null };
    });
  });
}

function checkUrls(run: Run): Promise<number> {
  return checkHeld<StoredListing>(run, listingKeys.allByUrl, {
    what: "URL",
    recordKey: listingKeys.one,
    holds: ({ url, state }) => state === "withdrawn" ? null : urlKey(url),
  });
}

/** Checks that the last part of each index key matches the value in the record it points to. */
function checkHeld<R>(
  run: Run,
  index: Deno.KvKey,
  options: {
    what: string;
    recordKey: (slug: string) => Deno.KvKey;
    holds: (record: R) => string | null;
  },
): Promise<number> {
  const { what, recordKey, holds } = options;
  return forEach<string>(run, index, ({ key, value }) =>
    judge(run, async (tx) => {
      const [held, entry] = await tx.getMany<unknown>([key, recordKey(value)]);
      const record = entry!.value as R | null;
      const isRight = held!.value !== value || (record !== null && holds(record) === key.at(-1));
      if (isRight) return null;
      return {
        what: `A ${what} is reserved for ${value}, which has a different one`,
        mend: () => tx.delete(key),
      };
    }));
}

/** Compares a count with the stored votes, without held ones. */
function checkVotes(run: Run, kind: EntryKind, slug: string): Promise<void> {
  return checkCount(run, {
    keyOf: (way) => voteKeys.count(kind, slug, way),
    stored: () =>
      countEntries<number>(run.store, voteRanges.votes(kind, slug), (vote) => !isHeld(vote)),
    tell: (count, stored) =>
      `The vote count of ${kind} ${slug} is ${count}, but should be ${stored}`,
    // Tells servers that keep counts in memory.
    change: { kind, slug, event: "recounted" },
  });
}

function checkSkills(run: Run): Promise<number> {
  return forEach<StoredSkill>(run, skillKeys.all, async ({ value: { slug } }) => {
    await checkVotes(run, "skill", slug);
    await judge(run, async (tx) => {
      const [record, content] = await tx.getMany<unknown>([
        skillKeys.one(slug),
        skillKeys.content(slug),
      ]);
      const skill = record!.value as StoredSkill | null;
      if (skill === null || skill.state === "withdrawn") return null;
      if (content!.value === null) return { what: `Skill ${slug} has no content`, mend: null };
      const held = await tx.get<string>(skillKeys.byContent(skill.contentKey));
      if (held.value === slug) return null;
      const what = `The content of skill ${slug} is reserved for ${
        held.value ?? "nobody"
      }, not for ${slug}`;
      return { what, mend: held.value === null ? () => tx.set(held.key, slug) : null };
    });
  });
}

function checkContents(run: Run): Promise<number> {
  return checkHeld<StoredSkill>(run, skillKeys.allByContent, {
    what: "content",
    recordKey: skillKeys.one,
    holds: ({ contentKey }) => contentKey,
  });
}

/**
 * Compares the earlier versions of skills, each stored under its SHA-256, with the version lists.
 */
async function checkVersions(run: Run): Promise<number> {
  const ofSkill = (slug: string) => [skillKeys.one(slug), skillKeys.history(slug)];
  const versionsOf = (entries: Deno.KvEntryMaybe<unknown>[]) => {
    const latest = (entries[0]!.value as StoredSkill | null)?.sha256;
    const listed = (entries[1]!.value ?? []) as StoredVersion[];
    const earlier = new Set(listed.map((version) => version.sha256));
    earlier.delete(latest ?? "");
    return { listed, isEarlier: (digest: string) => earlier.has(digest) };
  };
  await forEach<StoredVersion[]>(run, skillKeys.histories, ({ key }) => {
    const slug = key[1] as string;
    return judge(run, async (tx) => {
      const { listed, isEarlier } = versionsOf(await tx.getMany(ofSkill(slug)));
      const earlier = listed.filter((version) => isEarlier(version.sha256));
      // Contents change only with the list.
      const contents = await run.store.getMany(
        earlier.map(({ sha256 }) => skillKeys.version(slug, sha256)),
      );
      const lost = new Set(earlier.filter((_, i) => contents[i]!.value === null));
      if (lost.size === 0) return null;
      return {
        what: `Skill ${slug} lists ${plural(lost.size, "version")} without content`,
        mend: () => tx.set(key, listed.filter((version) => !lost.has(version))),
      };
    });
  });
  return await forEach<StoredText>(run, skillKeys.versions, ({ key }) => {
    const [, slug, digest] = key as [string, string, string];
    return judge(run, async (tx) => {
      const [content, ...entries] = await tx.getMany([key, ...ofSkill(slug)]);
      if (content!.value === null) return null;
      const isRight = sha256(unpackText(content!.value as StoredText), "hex") === digest;
      if (isRight && versionsOf(entries).isEarlier(digest)) return null;
      return {
        what: isRight
          ? `Skill ${slug} has a version that isn't in its list`
          : `A version of skill ${slug} has a different SHA-256 than its key`,
        mend: () => tx.delete(key),
      };
    });
  });
}

/** Checks the bid history, which is evidence: differences are reported, never repaired. */
function checkAuctions(run: Run): Promise<number> {
  return forEach<StoredAuction>(run, auctionKeys.all, ({ value }) =>
    judge(run, async (tx) => {
      const auction = (await tx.get<StoredAuction>(auctionKeys.one(value.id))).value;
      if (auction === null) return null;
      const entries = await listValues<HistoryEntry>(run.store, auctionKeys.history(auction.id));
      const broken = firstBrokenEntry(auction.id, entries);
      if (broken !== null) {
        return {
          what: `Auction ${auction.id}: the bid history breaks at bid ${broken}`,
          mend: null,
        };
      }
      const matches = entries.length === auction.bids &&
        (entries.at(-1)?.hash ?? null) === auction.lastHash;
      return matches ? null : {
        what: `Auction ${auction.id} (${plural(auction.bids, "bid")}) doesn't match its history (${
          plural(entries.length, "bid")
        })`,
        mend: null,
      };
    }));
}
