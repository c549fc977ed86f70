import { Enhance } from "./Enhance.tsx";

/** Text to be copied: selected as a whole by a click and, where `copy` is set, by a button with script. */
export function Snippet(
  { label, text, copy = false }: { label: string; text: string; copy?: boolean },
) {
  return (
    <figure class="snippet">
      <figcaption>
        {label}
        {copy && (
          <>
            <Enhance />
            <button type="button" class="copy" data-copy hidden>Copy</button>
          </>
        )}
      </figcaption>
      <pre tabIndex={0} role="region" aria-label={label}><code>{text}</code></pre>
    </figure>
  );
}
