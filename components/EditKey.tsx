import { EDIT_KEY_NOTICE } from "../lib/edit_key.ts";
import { Snippet } from "./Snippet.tsx";

/** An edit key, the one time that it is shown. */
export function EditKey({ editKey }: { editKey: string }) {
  return (
    <section class="panel edit-key" aria-labelledby="edit-key">
      <h2 id="edit-key">Your edit key</h2>
      <Snippet label="Edit key, shown this once" text={editKey} copy />
      <p>{EDIT_KEY_NOTICE}</p>
    </section>
  );
}
