import { Time } from "./Time.tsx";

/**
 * A sentence in which days that are written `2026-11-18`, for programs, are shown as people write
 * them.
 */
export function Dated({ text }: { text: string }) {
  // Within a fragment, strings of an array would be escaped twice.
  return text.split(/(?<![\w-])(\d{4}-\d{2}-\d{2})(?![\w-])/).map((part, i) =>
    i % 2 === 1 && isDay(part) ? <Time key={i} iso={part} /> : part
  );
}

/** Whether a text that is written as a day is one: of 31 February `Date.parse` makes 3 March. */
function isDay(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
