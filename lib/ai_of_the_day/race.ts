import { aiFamilies, type FamilyId } from "../catalog/ai_families.ts";
import type { StoredCheckIn } from "../guestbook/schema.ts";
import type { DayResult, FamilyStanding } from "./schema.ts";

const names = new Map(aiFamilies.map(({ id, name }) => [id, name]));

/** A family's name. */
export function familyName(family: FamilyId): string {
  return names.get(family)!;
}

/**
 * A day's families, ordered by the rules: most distinct check-ins (`counts`, without hidden ones),
 * then most detected hits, then family id alphabetically.
 */
export function raceStandings(
  counts: ReadonlyMap<FamilyId, number>,
  hits: ReadonlyMap<FamilyId, number>,
): FamilyStanding[] {
  return [...counts]
    .map(([family, checkIns]) => ({
      family,
      name: familyName(family),
      checkIns,
      detectedHits: hits.get(family) ?? 0,
    }))
    .sort((a, b) =>
      b.checkIns - a.checkIns || b.detectedHits - a.detectedHits || (a.family < b.family ? -1 : 1)
    );
}

/**
 * A day's result. It depends only on the day's stored check-ins (by name key) and detected hits.
 * The winner's theme is the winning family's latest proposal; if two came in the same millisecond,
 * it is the one with the lower name key.
 */
export function judgeDay(
  checkIns: ReadonlyMap<string, StoredCheckIn>,
  hits: ReadonlyMap<FamilyId, number>,
): DayResult {
  const counts = new Map<FamilyId, number>();
  for (const { family, hidden } of checkIns.values()) {
    if (!hidden) counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  const [first] = raceStandings(counts, hits);
  if (first === undefined) return { winner: null, proposal: null };
  const { family, checkIns: count, detectedHits } = first;
  const [latest] = [...checkIns]
    .filter(([, checkIn]) => checkIn.family === family && !checkIn.hidden)
    .flatMap(([key, { theme, agentName }]) => theme === null ? [] : [{ key, agentName, ...theme }])
    .sort((a, b) => b.proposedAt - a.proposedAt || (a.key < b.key ? -1 : 1));
  return {
    winner: { family, checkIns: count, detectedHits },
    proposal: latest ? { theme: latest.proposal, agentName: latest.agentName } : null,
  };
}
