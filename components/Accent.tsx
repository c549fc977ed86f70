import { accentClass } from "../lib/themes/stylesheet.ts";

/** A spot of a listing's accent color; decoration only. */
export function Accent({ name }: { name: string | null }) {
  return <span class={name === null ? "tint" : `tint ${accentClass(name)}`} aria-hidden="true" />;
}
