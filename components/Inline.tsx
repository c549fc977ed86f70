/** Our own plain text, with markup for `code` spans and bare URLs. */
export function Inline({ text }: { text: string }) {
  // In a fragment, strings in an array would be escaped twice.
  return text.split(/(`[^`]+`|https?:\/\/[^\s`]*[^\s`.,;:])/).map((part, i) => {
    if (part.startsWith("`")) return <code key={i}>{part.slice(1, -1)}</code>;
    if (/^https?:/.test(part)) {
      return <a key={i} href={part}>{part.replace(/^https?:\/\//, "")}</a>;
    }
    return part;
  });
}
