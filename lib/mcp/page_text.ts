import { plural } from "../text/count.ts";

/** A page of what a search found. */
interface FoundPage {
  shown: number;
  total: number;
  offset: number;
  nextOffset: number | null;
}

/** What a page of `entry`s holds and what to call next, in one line; of an empty search, how to find more. */
export function pageLine(
  { shown, total, offset, nextOffset }: FoundPage,
  next: { entry: string; search: string; details: string },
): string {
  if (total === 0) {
    return `No ${next.entry} matches. Every word of query and every filter narrows: try fewer, or other words.`;
  }
  return `${shown} of ${plural(total, next.entry)} from offset ${offset}.` +
    (nextOffset === null ? "" : ` More: ${next.search} with offset ${nextOffset}.`) +
    ` ${next.details}`;
}
