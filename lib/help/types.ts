import type { Channel } from "../notices/outbox.ts";
import type { Urls } from "../urls.ts";
import type { HelpAudience } from "./schema.ts";

/** The site that entries are about. */
export interface HelpSite {
  name: string;
  slug: string;
  urls: Urls;
  /** The channels through which owners are notified of events. */
  channels: Readonly<Record<Channel, boolean>>;
}

/** One question and its answer, with `code` spans and Markdown links. The id is part of its URL. */
export interface HelpEntry {
  id: string;
  q: string;
  a: string;
  audience: HelpAudience;
  tags: string[];
}

/** Makes a topic's entries for a site. */
export type HelpTopic = (site: HelpSite) => HelpEntry[];
