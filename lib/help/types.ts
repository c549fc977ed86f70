import type { Channel } from "../notices/outbox.ts";
import type { Urls } from "../urls.ts";
import type { HelpAudience } from "./schema.ts";

/** The site that entries speak of. */
export interface HelpSite {
  name: string;
  slug: string;
  urls: Urls;
  /** In which ways owners hear of events. */
  channels: Readonly<Record<Channel, boolean>>;
}

/** One question and its answer, in plain text with `code` spans. The id is part of its address. */
export interface HelpEntry {
  id: string;
  q: string;
  a: string;
  audience: HelpAudience;
  tags: string[];
}

/** Makes the entries of one topic for a site. */
export type HelpTopic = (site: HelpSite) => HelpEntry[];
