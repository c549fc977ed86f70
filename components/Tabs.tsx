import type { ComponentChildren } from "preact";

/**
 * Links to the views of a page, with the current one marked. With `chips`, they look different from
 * tabs above them.
 */
export function Tabs(
  { label, chips, tabs }: {
    label: string;
    chips?: boolean;
    tabs: readonly { name: ComponentChildren; href: string; isCurrent: boolean }[];
  },
) {
  return (
    <nav aria-label={label}>
      <ul class="plain cluster tabs">
        {tabs.map(({ name, href, isCurrent }) => (
          <li key={href}>
            <a
              class={chips ? "chip" : undefined}
              href={href}
              aria-current={isCurrent ? "true" : undefined}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
