import { type FamilyId, familyId } from "../catalog/ai_families.ts";
import { aiUserAgents } from "../catalog/ai_operators.ts";
import type { Traffic } from "../stats/traffic.ts";

const families = new Map(aiUserAgents.map(({ name, family }) => [name, family]));

/** Requests of known AI user agents on a UTC day, by AI family. */
export async function familyHits(
  traffic: Pick<Traffic, "byAgent">,
  day: string,
): Promise<Record<FamilyId, number>> {
  const hits = Object.fromEntries(familyId.options.map((id) => [id, 0])) as Record<
    FamilyId,
    number
  >;
  for (const { name, requests } of await traffic.byAgent(day, day)) {
    const family = families.get(name);
    if (family !== undefined) hits[family] += requests;
  }
  return hits;
}
