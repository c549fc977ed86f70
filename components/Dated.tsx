import { Time } from "./Time.tsx";

/**
 * A sentence whose machine-readable days, like `2026-11-18`, are shown the way people write them.
 */
export function Dated({ text }: { text: string }) {
  // In a fragment, strings in an array would be escaped twice.
  return text.split(/(?<![\w-])(\d{4}-\d{2}-\d{2})(?![\w-])/).map((part, i) =>
    i % 2 === 1 && isDay(part) ? <Time key={i} iso={part} /> : part
  );
}

/** True if a day is valid: `Date.parse` turns February 31 into March 3. */
function isDay(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
