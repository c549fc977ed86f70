import { Enhance } from "./Enhance.tsx";

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
