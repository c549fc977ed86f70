import type { ComponentChildren } from "preact";

/** Replaces an empty list: a plain statement and the next step. */
export function EmptyState(props: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children}
    </div>
  );
}
