import type { ComponentChildren } from "preact";

/** A part of a page of running text: a heading and, beside it where there is room, what it says. */
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
