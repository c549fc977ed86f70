import { setImmediate } from "node:timers/promises";
import { publicActions } from "../operator/actions.ts";
import type { Deps } from "../operator/deps.ts";
import { exportDays } from "../poll/service.ts";
import { toPublicSkill } from "../skills/public.ts";
import { readSkill } from "../skills/store.ts";

/**
 * The fields of records in the dump, named as in the API: only those whose changes are in the change
 * log.
 */
export const DUMP_FIELDS = {
  listing: (
    "slug name url tagline description category tags builtWith pricing accent logoUrl repoUrl " +
    "submittedBy linkCheck signedBy createdAt updatedAt page"
  ).split(" "),
  skill: (
    "slug title summary kind content category worksWith tags installHint author license origin " +
    "sourceUrl submittedBy signedBy sha256 createdAt updatedAt page"
  ).split(" "),
};

/** The types of lines in the dump. */
export type DumpType = "listing" | "skill" | "poll_day" | "action";

/** A line of the dump. */
interface DumpLine {
  type: DumpType;
  [field: string]: unknown;
}

/** How many listings to read from memory before letting requests run. */
const LISTINGS_A_TURN = 100;

/**
 * All public data, one record per line: live listings and skills, the poll's final days, and the
 * log of operator actions.
 */
export async function* dumpLines(deps: Deps): AsyncGenerator<DumpLine> {
  const { catalogue, skills, store, urls } = deps;
  let read = 0;
  for (const row of catalogue.rows()) {
    if (++read % LISTINGS_A_TURN === 0) await setImmediate();
    const listing = JSON.parse(catalogue.json(row));
    const { votes, clicks } = listing;
    yield { type: "listing", record: picked("listing", listing), counts: { votes, clicks } };
  }
  for (const { slug } of skills.rows()) {
    const found = await readSkill(store, slug);
    if (found?.stored.state !== "live") continue;
    const { stored, content, counts } = found;
    const skill = { ...toPublicSkill(stored, counts, urls), content };
    yield { type: "skill", record: picked("skill", skill), counts };
  }
  for (const { day, rows } of await exportDays(deps)) yield { type: "poll_day", day, rows };
  for (const action of await publicActions(deps)) yield { type: "action", ...action };
}

function picked(type: keyof typeof DUMP_FIELDS, record: object): Record<string, unknown> {
  const all = record as Record<string, unknown>;
  return Object.fromEntries(DUMP_FIELDS[type].map((field) => [field, all[field] ?? null]));
}
