import type { ComponentChildren } from "preact";

/** A table that moves sideways where the page is too narrow; `label` names it to those who hear the page. */
export function TableScroll({ label, children }: { label: string; children: ComponentChildren }) {
  return <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>{children}</div>;
}
