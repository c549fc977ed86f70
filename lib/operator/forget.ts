import type { EntryKind, StoredEntry } from "../entries/entries.ts";
import { entryKey, entryKeys } from "../entries/keys.ts";
import { notFound } from "../errors.ts";
import { forgetGuest } from "../guestbook/forget.ts";
import { listValues } from "../kv/ranges.ts";
import type { StoredListing } from "../listings/schema.ts";
import { leaveTombstone } from "../owners/withdrawal.ts";
import { forgetAgent } from "../poll/forget.ts";
import type { StoredSkill } from "../skills/schema.ts";
import { forgetSkillAuthor } from "../skills/service.ts";
import { foldName } from "../text/name_key.ts";
import type { StoredUndo } from "./actions.ts";
import type { Deps } from "./deps.ts";
import { operatorKeys } from "./keys.ts";
import { forgetSubmitter } from "./listings.ts";
import type { StoredReport } from "./reports.ts";
import { isOfDomain } from "./selection.ts";

/** How much was deleted, by what it was. */
export type Forgotten = Record<string, number>;

type Entry = (StoredListing | StoredSkill) & StoredEntry;

/**
 * Deletes an entry in any state, and the reports on it, for good; its slug remains, and nothing else
 * gets it. Throws `not_found`.
 */
export async function forgetEntry(deps: Deps, kind: EntryKind, slug: string): Promise<Forgotten> {
  const { store, clock } = deps;
  const wasThere = await store.transact(async (tx) => {
    const { value } = await tx.get<Entry>(entryKey(kind, slug));
    if (value === null) throw notFound(`There is no ${kind} with the slug ${slug}`);
    if (value.state === "withdrawn") return false;
    await leaveTombstone(tx, kind, value, clock.now());
    return true;
  });
  const reports = (await listValues<StoredReport>(store, operatorKeys.reports))
    .filter((report) => report.kind === kind && report.slug === slug);
  for (const { id } of reports) await store.transact((tx) => tx.delete(operatorKeys.report(id)));
  return { [`${kind}s`]: wasThere ? 1 : 0, reports: reports.length };
}

/** Deletes all entries whose URL is of a domain. Throws `not_found`. */
export async function forgetDomain(deps: Deps, domain: string): Promise<Forgotten> {
  const sum: Forgotten = { listings: 0, skills: 0, reports: 0 };
  for (const kind of ["listing", "skill"] as const) {
    for await (const { value } of entriesOf(deps, kind)) {
      const url = "url" in value ? value.url : value.sourceUrl;
      if (!isOfDomain(url ?? "", domain)) continue;
      for (const [what, n] of Object.entries(await forgetEntry(deps, kind, value.slug))) {
        sum[what]! += n;
      }
    }
  }
  return requireSome(sum, `Nothing here is of the domain ${domain}`);
}

/**
 * Deletes a name in any spelling that counts as the same: its check-ins, its name and reasons in the
 * poll, and where it stands as author or submitter. Throws `not_found`.
 */
export async function forgetName(deps: Deps, name: string): Promise<Forgotten> {
  const { store } = deps;
  const isName = (other: string | null) => other !== null && foldName(other) === foldName(name);
  const sum: Forgotten = {
    "check-ins": await forgetGuest(deps, name),
    ballots: await forgetAgent(deps, name),
    listings: 0,
    skills: 0,
  };
  for await (const { value: { slug, submittedBy } } of entriesOf(deps, "listing")) {
    if (isName(submittedBy) && await forgetSubmitter(deps, { slug })) sum.listings!++;
  }
  for await (const { value } of entriesOf(deps, "skill")) {
    const { slug, author, submittedBy } = value as StoredSkill;
    const isNamed = isName(author) || isName(submittedBy);
    if (isNamed && await forgetSkillAuthor(deps, { slug })) sum.skills!++;
  }
  for await (const { key, value } of store.list<StoredUndo>({ prefix: operatorKeys.undos })) {
    if (Object.values(value.args).some(isName)) await store.transact((tx) => tx.delete(key));
  }
  return requireSome(sum, `Nothing here is under the name ${name}`);
}

function entriesOf({ store }: Deps, kind: EntryKind): AsyncGenerator<Deno.KvEntry<Entry>> {
  return store.list<Entry>({ prefix: entryKeys[kind] });
}

function requireSome(sum: Forgotten, otherwise: string): Forgotten {
  if (Object.values(sum).every((n) => n === 0)) throw notFound(otherwise);
  return sum;
}
