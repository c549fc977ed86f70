import type { ComponentChildren } from "preact";

/** The head of a column; `num` is that of numbers. */
type Column = string | { num: string };

/**
 * A table that moves sideways where the page is too narrow: its columns, and rows as children.
 * `label` names it to those who hear the page, `caption` stands above it.
 */
export function Table(
  props: {
    label: string;
    caption?: string;
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
