import type { ComponentChildren } from "preact";

/** What stands where nothing is yet: the plain fact, and the next step. */
export function EmptyState(props: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children}
    </div>
  );
}
