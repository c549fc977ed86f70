import type { Clock } from "../clock.ts";
import { Catalogue } from "../read_model/catalogue.ts";
import type { Values } from "../read_model/filters.ts";
import type { Kind } from "../read_model/kind.ts";
import type { Row } from "../read_model/row.ts";
import { skillSortId } from "../read_model/sorts.ts";
import type { Urls } from "../urls.ts";
import { voteKeys } from "../votes/keys.ts";
import { skillKeys } from "./keys.ts";
import { type ShownSkill, toPublicSkill } from "./public.ts";
import type { PublicSkill, StoredSkill } from "./schema.ts";

/** The filters of skill lists. */
const FIELDS = ["kind", "worksWith", "category", "tag"] as const;
type Field = (typeof FIELDS)[number];

/** A live skill in the catalogue. */
interface SkillRow extends Row, ShownSkill {}

/** The read model of live skills. */
export class SkillCatalogue extends Catalogue<SkillRow, Field, PublicSkill> {
  constructor({ clock, urls }: { clock: Clock; urls: Urls }) {
    super({
      clock,
      sorts: skillSortId.options,
      fields: FIELDS,
      valuesOf,
      documentOf,
      toPublic: (row) => toPublicSkill(row, { votes: row.votes, copies: row.uses }, urls),
    });
  }
}

/** How skills are read from KV into a catalogue. */
export function skillKind(catalogue: SkillCatalogue): Kind<StoredSkill> {
  return {
    name: "skill",
    catalogue,
    records: skillKeys.all,
    extras: [],
    votes: voteKeys.counts("skill"),
    uses: skillKeys.allCopies,
    pulses: { skill_vote: "votes", skill_copy: "uses" },
    partsOf: (payload) => ({ stored: payload as StoredSkill, extras: [] }),
    put({ stored }, counts = catalogue.countsOf(stored.slug)) {
      if (stored.state === "live") catalogue.put(rowOf(stored, counts));
      else catalogue.remove(stored.slug);
    },
    shape: "row",
    pack: () => catalogue.rows().map((row) => () => ({ ...row, id: -1 })),
    unpack: (entries) => (entries as SkillRow[]).forEach((row) => catalogue.put(row)),
  };
}

function rowOf(stored: StoredSkill, { votes, uses }: { votes: number; uses: number }): SkillRow {
  const { keyHash: _key, contentKey: _content, state: _state, network: _from, ...shown } = stored;
  return { ...shown, id: -1, votes, uses };
}

function valuesOf({ kind, worksWith, category, tags }: SkillRow): Values<Field> {
  return { kind: [kind], worksWith, category: category === null ? [] : [category], tag: tags };
}

function documentOf({ title, tags, kind, category, worksWith, author, summary }: SkillRow) {
  return {
    name: title,
    labels: [...tags, kind, category, ...worksWith, author].filter(Boolean).join(" "),
    tagline: summary,
    description: "",
    gist: [...tags, title, summary].join(" "),
  };
}
