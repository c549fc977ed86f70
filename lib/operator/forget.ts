import type { EntryKind } from "../entries/entries.ts";
import { entryKey } from "../entries/keys.ts";
import { type DomainError, notFound } from "../errors.ts";
import { forgetGuest } from "../guestbook/forget.ts";
import type { StoredRecord } from "../owners/verification.ts";
import { leaveTombstone } from "../owners/withdrawal.ts";
import { forgetAgent } from "../poll/forget.ts";
import { forgetSkillAuthor } from "../skills/service.ts";
import { foldName } from "../text/name_key.ts";
import type { StoredUndo } from "./actions.ts";
import type { Deps } from "./deps.ts";
import { operatorKeys } from "./keys.ts";
import { forgetSubmitter } from "./listings.ts";
import { reportsOn } from "./reports.ts";
import { findEntries, nothingFound } from "./selection.ts";

/** How much was deleted, by kind. */
export type Forgotten = Record<string, number>;

/**
 * Permanently deletes an entry in any state, and the reports on it. Its slug is never used again.
 * Throws `not_found`.
 */
export async function forgetEntry(deps: Deps, kind: EntryKind, slug: string): Promise<Forgotten> {
  const { store } = deps;
  const wasThere = await store.transact(async (tx) => {
    const { value } = await tx.get<StoredRecord>(entryKey(kind, slug));
    if (value === null) throw notFound(`There is no ${kind} with the slug ${slug}`);
    if (value.state === "withdrawn") return false;
    await leaveTombstone(tx, kind, value, { isForgotten: true });
    return true;
  });
  const reports = await reportsOn(deps, kind, slug);
  for (const { id } of reports) await store.transact((tx) => tx.delete(operatorKeys.report(id)));
  return { [`${kind}s`]: wasThere ? 1 : 0, reports: reports.length };
}

/** Deletes all entries with a URL on a domain. Throws `not_found`. */
export async function forgetDomain(deps: Deps, domain: string): Promise<Forgotten> {
  const sum: Forgotten = { listings: 0, skills: 0, reports: 0 };
  for (const { kind, slug } of await findEntries(deps, "domain", domain)) {
    for (const [what, n] of Object.entries(await forgetEntry(deps, kind, slug))) sum[what]! += n;
  }
  return requireSome(sum, nothingFound("domain", domain));
}

/**
 * Deletes an email address, and whatever else names the submitter of the listings that have it.
 * Throws `not_found`.
 */
export async function forgetEmail(deps: Deps, email: string): Promise<Forgotten> {
  const sum: Forgotten = { listings: 0 };
  for (const { slug } of await findEntries(deps, "email", email)) {
    if (await forgetSubmitter(deps, slug)) sum.listings!++;
  }
  return requireSome(sum, nothingFound("email", email));
}

/**
 * Deletes a name in any spelling that counts as the same: its check-ins, its name and reasons in
 * the poll, and its credits as author or submitter. Throws `not_found`.
 */
export async function forgetName(deps: Deps, name: string): Promise<Forgotten> {
  const { store } = deps;
  const sum: Forgotten = {
    "check-ins": await forgetGuest(deps, name),
    ballots: await forgetAgent(deps, name),
    listings: 0,
    skills: 0,
  };
  for (const { kind, slug } of await findEntries(deps, "name", name)) {
    const forget = kind === "listing" ? forgetSubmitter : forgetSkillAuthor;
    if (await forget(deps, slug)) sum[`${kind}s`]!++;
  }
  for await (const { key, value } of store.list<StoredUndo>({ prefix: operatorKeys.undos })) {
    const isNamed = Object.values(value.args).some((arg) => foldName(arg) === foldName(name));
    if (isNamed) await store.transact((tx) => tx.delete(key));
  }
  return requireSome(sum, nothingFound("name", name));
}

function requireSome(sum: Forgotten, otherwise: DomainError): Forgotten {
  if (Object.values(sum).every((n) => n === 0)) throw otherwise;
  return sum;
}
