import type { Deps } from "../deps.ts";
import type { PublicListing } from "../listings/schema.ts";
import type { PublicSkill } from "../skills/schema.ts";
import { searchReady } from "./service.ts";

/** How many entries of a list of which a search finds none are shown for some of its words. */
const NEAREST = 5;

/** What the words of a search find where its filters do not narrow it. */
export interface Elsewhere {
  /** How many projects and skills have all the words. */
  totals: { project: number; skill: number };
  /** The projects that have some of the words, if none has all; so with skills. */
  nearest: { project: PublicListing[]; skill: PublicSkill[] };
}

/** What a page shows of a search that found nothing on it. */
export async function searchElsewhere(
  { catalogue, skills, clock }: Deps,
  q: string,
): Promise<Elsewhere> {
  await Promise.all([searchReady(catalogue, { q }), searchReady(skills, { q })]);
  const totals = {
    project: catalogue.select({ q, limit: 1 }).total,
    skill: skills.list({ q, sort: "hot", limit: 1, offset: 0 }, clock.now()).total,
  };
  return {
    totals,
    nearest: {
      project: totals.project > 0 ? [] : catalogue.nearest(q, NEAREST),
      skill: totals.skill > 0 ? [] : skills.nearest(q, NEAREST),
    },
  };
}
