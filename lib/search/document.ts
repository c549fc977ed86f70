/** The searchable text of an entry. */
export interface SearchDocument {
  name: string;
  /** What it is filed under, such as tags and category. */
  labels: string;
  tagline: string;
  description: string;
  /** What it does, in few words. Entries with a similar text are alike. */
  gist: string;
  /** A text that means exactly this entry, such as its URL identity. */
  key?: string;
}

/** The weight of a word in each field. */
export const FIELDS = [
  ["name", 10],
  ["labels", 5],
  ["tagline", 3.5],
  ["description", 1.2],
] as const;
