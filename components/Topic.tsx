import type { ComponentChildren } from "preact";

/** A section of a text page: a heading with its content, side by side if there is room. */
export function Topic(
  { id, title, children }: { id: string; title: string; children: ComponentChildren },
) {
  return (
    <section class="topic" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div>{children}</div>
    </section>
  );
}
