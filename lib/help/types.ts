import type { Core } from "../core.ts";
import type { HelpAudience } from "./schema.ts";

/** The site that entries are about. */
export type HelpSite = Pick<Core, "env" | "urls">;

/** One question and its answer, with `code` spans and Markdown links. The id is part of its URL. */
export interface HelpEntry {
  id: string;
  q: string;
  a: string;
  audience: HelpAudience;
  tags: string[];
}

/** Makes a topic's entries for a site, by id. */
export type HelpTopic = (site: HelpSite) => Record<string, Omit<HelpEntry, "id">>;
