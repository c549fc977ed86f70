import { monogram } from "../lib/text/monogram.ts";
import { accentClass } from "../lib/themes/stylesheet.ts";

/**
 * What stands for an entry where a picture of it would be: its monogram on its accent color. `size` is
 * `small` in lines and `large` at the head of a page. Decoration only, as its name is beside it.
 */
export function Tile(
  { name, accent = null, size }: {
    name: string;
    /** The name of its accent; null if it has none. */
    accent?: string | null;
    size?: "small" | "large";
  },
) {
  const style = ["tile", size, accent !== null && accentClass(accent)].filter(Boolean).join(" ");
  return <span class={style} aria-hidden="true">{monogram(name)}</span>;
}
