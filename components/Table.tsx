import type { ComponentChildren } from "preact";

/** A column header; `num` is for numbers. */
type Column = string | { num: string };

/**
 * A table that scrolls horizontally on a narrow page: its columns, with rows as children. `label`
 * names it for screen readers, `caption` is shown above it.
 */
export function Table(
  props: {
    label: string;
    caption?: ComponentChildren;
    class?: string;
    columns: readonly Column[];
    children: ComponentChildren;
  },
) {
  const { label, caption, columns, children } = props;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={props.class}>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === "string"
                ? <th key={column} scope="col">{column}</th>
                : <th key={column.num} scope="col" class="num">{column.num}</th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
