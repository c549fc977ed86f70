/** The searchable text of an entry. */
export interface SearchDocument {
  name: string;
  /** What it is filed under, such as tags and category. */
  labels: string;
  tagline: string;
  description: string;
  /** What it does, in few words. Entries are similar if these texts are. */
  gist: string;
  /** A text that means exactly this entry, such as its URL identity. */
  key?: string;
}

/** The weight of a word in each field. */
const WEIGHTS = { name: 10, labels: 4.5, tagline: 3.5, description: 1.2 };
/** A field that is searched. */
export type Field = keyof typeof WEIGHTS;
/** All fields that are searched. */
export const FIELDS = Object.keys(WEIGHTS) as Field[];

/** A field of more words is long: each says less. */
const LONG = 16;

/** The weight of each of `count` words in a field. The whole name says more than one of many. */
export function weightOf(field: Field, count: number): number {
  const share = field === "name" ? 1 / Math.sqrt(count) : Math.sqrt(Math.sqrt(LONG / count));
  return WEIGHTS[field] * Math.min(1, share);
}
