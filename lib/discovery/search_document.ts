/** The searchable text of a listing. Each field is a column of the index. */
export interface SearchDocument {
  name: string;
  /** Tags, tools, category, host and path: what it is filed under. */
  labels: string;
  tagline: string;
  description: string;
}

/** Takes the searchable text out of a public record as JSON. */
export function searchDocument(text: string): SearchDocument {
  const record = JSON.parse(text) as {
    name: string;
    url: string;
    tagline: string;
    description: string | null;
    category: string | null;
    tags: string[];
    builtWith: string[];
  };
  const { tags, builtWith, category } = record;
  const { hostname, pathname } = new URL(record.url);
  return {
    name: record.name,
    labels: [...tags, ...builtWith, category, hostname, pathname].join(" "),
    tagline: record.tagline,
    description: record.description ?? "",
  };
}
