import type { Core } from "../core.ts";
import type { HelpAnswer } from "./schema.ts";

/** The site that entries are about. */
export type HelpSite = Pick<Core, "env" | "urls">;

/** One question and its answer, with `code` spans and Markdown links. */
export type HelpEntry = Omit<HelpAnswer["entries"][number], "url">;

/** Makes a topic's entries for a site, by id. Their audience is `both` by default. */
export type HelpTopic = (
  site: HelpSite,
) => Record<string, Pick<HelpEntry, "q" | "a" | "tags"> & Partial<Pick<HelpEntry, "audience">>>;
