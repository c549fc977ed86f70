import { KEEP_KEY_NOTICE } from "../lib/entries/edit_key.ts";
import { Snippet } from "./Snippet.tsx";

/**
 * An edit key, shown only once; sending the form again shows it again. `form` is the path of the
 * form that asks for it.
 */
export function EditKey({ editKey, form }: { editKey: string | null; form: string }) {
  return (
    <section class="panel edit-key" aria-labelledby="edit-key">
      <h2 id="edit-key">Your edit key</h2>
      <Snippet label="Edit key (shown only once)" text={editKey!} />
      <p>
        {KEEP_KEY_NOTICE} To edit, paste it into <a href={form}>the edit form</a>.
      </p>
    </section>
  );
}
