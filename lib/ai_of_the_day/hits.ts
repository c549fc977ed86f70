import type { FamilyId } from "../catalog/ai_families.ts";
import { aiUserAgents } from "../catalog/ai_operators.ts";
import type { Traffic } from "../stats/traffic.ts";

const families = new Map(aiUserAgents.map(({ name, family }) => [name, family]));

/** Requests of known AI user agents on a UTC day, by AI family. */
export async function familyHits(
  traffic: Pick<Traffic, "byAgent">,
  day: string,
): Promise<ReadonlyMap<FamilyId, number>> {
  const hits = new Map<FamilyId, number>();
  for (const { name, requests } of await traffic.byAgent(day, day)) {
    const family = families.get(name);
    if (family !== undefined) hits.set(family, (hits.get(family) ?? 0) + requests);
  }
  return hits;
}
