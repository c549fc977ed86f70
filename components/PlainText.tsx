/**
 * A stranger's text of several lines, as it was written, but that of empty lines one at most is shown: a
 * thousand would make a page of nothing.
 */
export function PlainText({ text }: { text: string }) {
  return <p class="prose-text" dir="auto">{text.replace(/\n(?:[^\S\n]*\n){2,}/g, "\n\n")}</p>;
}
