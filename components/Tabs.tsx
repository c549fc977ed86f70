import type { ComponentChildren } from "preact";

/** Links to the views of a page, with the current one marked. */
export function Tabs(
  { label, tabs }: {
    label: string;
    tabs: readonly { name: ComponentChildren; href: string; isCurrent: boolean }[];
  },
) {
  return (
    <nav aria-label={label}>
      <ul class="plain cluster tabs">
        {tabs.map(({ name, href, isCurrent }) => (
          <li key={href}>
            <a href={href} aria-current={isCurrent ? "true" : undefined}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
