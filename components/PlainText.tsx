/**
 * Multi-line user text as written, with runs of empty lines reduced to one: a thousand would leave
 * the page blank.
 */
export function PlainText({ text }: { text: string }) {
  return <p class="prose-text" dir="auto">{text.replace(/\n(?:[^\S\n]*\n){2,}/g, "\n\n")}</p>;
}
