import type { Deps } from "./deps.ts";

/** How many entries of a list of which a search finds none are shown for some of its words. */
const NEAREST = 5;

/** What the words of a search find where its filters do not narrow it. */
export interface Elsewhere<E> {
  /** How many projects and skills have all the words. */
  totals: { project: number; skill: number };
  /** The entries of the list itself that have some of the words, if none has all. */
  nearest: E[];
}

/** What a page shows of a search that found nothing in its own list. */
export async function searchElsewhere<E>(
  { catalogue, skills }: Deps,
  { q, noun, own }: {
    q: string;
    noun: "project" | "skill";
    own: { nearest(q: string, limit: number): E[] };
  },
): Promise<Elsewhere<E>> {
  await Promise.all([catalogue.textReady({ q }), skills.textReady({ q })]);
  const totals = {
    project: catalogue.select({ q, limit: 1 }).total,
    skill: skills.select({ q, limit: 1 }).total,
  };
  return { totals, nearest: totals[noun] > 0 ? [] : own.nearest(q, NEAREST) };
}
