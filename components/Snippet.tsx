import { Enhance } from "./Enhance.tsx";

/**
 * The characters of a line of code on the widest page, by which the height of a field is guessed.
 */
const LINE = 72;

/**
 * Text to be copied. With `copy` it is in a read-only field, where it can be selected and copied by
 * keyboard without script; with script, a button copies it.
 */
export function Snippet(
  { label, text, copy = false }: { label: string; text: string; copy?: boolean },
) {
  if (!copy) {
    return (
      <figure class="snippet">
        <figcaption>{label}</figcaption>
        <pre tabIndex={0} role="region" aria-label={label}><code>{text}</code></pre>
      </figure>
    );
  }
  return (
    <figure class="snippet">
      <Enhance />
      <figcaption>
        {label}
        <button type="button" class="copy" aria-label={`Copy: ${label}`} data-copy hidden>
          Copy
        </button>
      </figcaption>
      <textarea
        class="code"
        aria-label={label}
        rows={text.split("\n").reduce(
          (rows, line) => rows + Math.max(1, Math.ceil(line.length / LINE)),
          0,
        )}
        readOnly
        spellcheck={false}
        autocomplete="off"
        dir="ltr"
      >
        {text}
      </textarea>
    </figure>
  );
}
