import { notFound } from "../errors.ts";
import { foldName } from "../text/name_key.ts";
import { readTallies } from "./days.ts";
import type { Deps } from "./deps.ts";
import { pollKeys } from "./keys.ts";
import type { WriteIns } from "./schema.ts";
import { addTally, rank, type Tally, writeInId } from "./tally.ts";

/** The write-in names in the order of their arrival, with their votes of all time. */
export async function listWriteIns({ store }: Deps): Promise<{ name: string; votes: number }[]> {
  const { value } = await store.get<WriteIns>(pollKeys.writeIns);
  const writeIns = value?.names ?? [];
  const all: Tally = new Map();
  for (const tally of (await readTallies(store, "")).values()) addTally(all, tally);
  const rows = rank(all, { group: "all", writeIns, limit: Infinity });
  const votes = new Map(rows.map((row) => [row.id, row.votes]));
  return writeIns
    .map((name, i) => ({ name, votes: votes.get(writeInId(i)) ?? 0 }))
    .filter(({ name }) => name !== "");
}

/**
 * Removes a write-in name, in any spelling that counts as the same. Its ballots count as Other, and
 * another name may take its place among the 200, also the same one anew. Returns the name as it was
 * stored. Throws `not_found`.
 */
export function removeWriteIn({ store }: Deps, spelling: string): Promise<string> {
  const folded = foldName(spelling);
  return store.transact(async (tx) => {
    const { value } = await tx.get<WriteIns>(pollKeys.writeIns);
    const names = value?.names ?? [];
    const name = names.find((name) => name !== "" && foldName(name) === folded);
    if (name === undefined) throw notFound(`The poll has no write-in name ${spelling}`);
    tx.set(pollKeys.writeIns, { names: names.map((other) => other === name ? "" : other) });
    tx.change({ kind: "site", slug: "poll", event: "write_in_removed" });
    return name;
  });
}
