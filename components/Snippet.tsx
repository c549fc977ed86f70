/** Text to be copied: selected as a whole by a click, and with script by a button. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <figure class="snippet">
      <figcaption>{label}</figcaption>
      <pre tabIndex={0} role="region" aria-label={label}><code>{text}</code></pre>
    </figure>
  );
}
