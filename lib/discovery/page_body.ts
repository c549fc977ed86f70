import type { Bytes } from "../http/respond.ts";
import type { Records } from "./record_store.ts";

const encoder = new TextEncoder();

/**
 * The body of a page of records between `head` and `tail`, which are ASCII. Where all is ASCII it is a string. Where it
 * is not, its UTF-8: a long string in which one character is outside of Latin-1 takes Deno eight times as long to
 * code, and few records have such. So the page is coded with blanks in their places, and they are coded into these.
 */
export function pageBody(head: string, { texts, extraBytes }: Records, tail: string) {
  const wide: { at: number; text: string }[] = [];
  let at = head.length;
  const ascii = texts.map((text, i) => {
    const length = text.length + extraBytes[i]!;
    if (length > text.length) wide.push({ at, text });
    at += length + 1;
    return length > text.length ? " ".repeat(length) : text;
  });
  // One join: a page is the most that a request leaves to be collected.
  ascii[0] = head + (ascii[0] ?? "");
  ascii[ascii.length - 1] += tail;
  const page = ascii.join(",");
  if (wide.length === 0) return page;
  const bytes: Bytes = encoder.encode(page);
  for (const { at, text } of wide) encoder.encodeInto(text, bytes.subarray(at));
  return bytes;
}
