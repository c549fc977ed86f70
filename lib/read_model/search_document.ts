/** The searchable text of an entry. Each field is a column of the index. */
export interface SearchDocument {
  name: string;
  /** What it is filed under: tags, tools, category, address. */
  labels: string;
  tagline: string;
  description: string;
}
