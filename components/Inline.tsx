/** Our own text: plain, with `code` spans and Markdown links. */
export function Inline({ text }: { text: string }) {
  // In a fragment, strings in an array would be escaped twice.
  return text.split(/(`[^`]+`|\[[^[\]]+\]\(https?:[^)]+\))/).map((part, i) => {
    if (part.startsWith("`")) return <code key={i}>{part.slice(1, -1)}</code>;
    const link = part.match(/^\[(.+)\]\((https?:.+)\)$/);
    return link ? <a key={i} href={link[2]}>{link[1]}</a> : part;
  });
}
