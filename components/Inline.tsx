/** Plain text of our own, in which `code` spans and bare addresses are marked up. */
export function Inline({ text }: { text: string }) {
  // Within a fragment, strings of an array would be escaped twice.
  return text.split(/(`[^`]+`|https?:\/\/[^\s`]*[^\s`.,;:])/).map((part, i) => {
    if (part.startsWith("`")) return <code key={i}>{part.slice(1, -1)}</code>;
    if (/^https?:/.test(part)) {
      return <a key={i} href={part}>{part.replace(/^https?:\/\//, "")}</a>;
    }
    return part;
  });
}
