import { Enhance } from "./Enhance.tsx";

/**
 * Text to copy, in a read-only field that allows selecting and copying by keyboard without a
 * script. With a script, a button copies it.
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
        rows={text.split("\n").length}
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
