import type { Core } from "../core.ts";
import type { HelpAudience } from "./schema.ts";

/** The site that entries are about. */
export type HelpSite = Pick<Core, "env" | "urls">;

/** One question and its answer, with `code` spans and Markdown links. */
interface HelpRow {
  q: string;
  a: string;
  /** By default `both`. */
  audience?: HelpAudience;
  tags: string[];
}

/** The same with its id, which is part of its URL. */
export interface HelpEntry extends Required<HelpRow> {
  id: string;
}

/** Makes a topic's entries for a site, by id. */
export type HelpTopic = (site: HelpSite) => Record<string, HelpRow>;
