import type { ComponentChildren } from "preact";

/** Shown in place of an empty list: the plain fact, and the next step. */
export function EmptyState(props: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children}
    </div>
  );
}
