import { Enhance } from "./Enhance.tsx";

/**
 * The characters of a line of code on the widest page, by which the height of a field is guessed.
 */
const LINE = 72;

/**
 * Text to be copied, in a read-only field, where it can be selected and copied by keyboard without
 * script; with script, a button copies it.
 */
export function Snippet({ label, text }: { label: string; text: string }) {
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
