import { parse } from "yaml";
import { Lru } from "../cache/lru.ts";

const FRONTMATTER = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/;
/**
 * The maximum number of characters of frontmatter to read. A name has up to 64, a description
 * 1,024.
 */
const FRONTMATTER_MAX = 4_000;

/**
 * The frontmatter at the start of content: with its fences (`block`), and the YAML between them.
 */
export function frontmatterOf(content: string): { block: string; yaml: string } | null {
  const found = FRONTMATTER.exec(content);
  return found && { block: found[0], yaml: found[1]! };
}

/** Recently parsed frontmatter. Parsing a hostile block can take a tenth of a second. */
const latest = new Lru<{ data: unknown }>({ max: 100 });

/** The mapping in frontmatter, or null. Frontmatter longer than any that installs is not read. */
export function readYaml(text: string): Record<string, unknown> | null {
  if (text.length > FRONTMATTER_MAX) return null;
  const data = parseYaml(text);
  return typeof data === "object" && data !== null && !Array.isArray(data)
    ? data as Record<string, unknown>
    : null;
}

/** The data in YAML; null if it is malformed. */
export function parseYaml(yaml: string): unknown {
  return (latest.get(yaml) ?? latest.set(yaml, { data: parsedAnew(yaml) })).data;
}

function parsedAnew(yaml: string): unknown {
  try {
    return parse(yaml, { logLevel: "error", prettyErrors: false });
  } catch {
    return null;
  }
}
