import { nameOfTool, tools, type ToolSlug } from "../lib/catalog/tools.ts";
import { toolClass } from "../lib/themes/stylesheet.ts";
import { paths } from "../lib/urls.ts";

const bySlug = new Map(tools.map((tool) => [tool.slug, tool]));

/**
 * The mark of a tool: its glyph on its color. `isAlone` means that the tool's name is not beside
 * it.
 */
export function ToolMark({ slug, isAlone = false }: { slug: ToolSlug; isAlone?: boolean }) {
  const { name, glyph } = bySlug.get(slug)!;
  return (
    <span
      class={`mark ${toolClass(slug)}`}
      title={isAlone ? name : undefined}
      aria-hidden="true"
    >
      {glyph}
    </span>
  );
}

/** Tools as marks with their names, each a link to what else was made with it. */
export function ToolLinks({ slugs }: { slugs: readonly ToolSlug[] }) {
  return (
    <ul class="cluster plain">
      {slugs.map((slug) => (
        <li key={slug}>
          <a class="chip" href={paths.tool(slug)}>
            <ToolMark slug={slug} /> {nameOfTool(slug)}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Marks without names. Screen readers get the names after `relation`, such as "Built with". */
export function ToolMarks(
  { slugs, relation = "Built with" }: { slugs: readonly ToolSlug[]; relation?: string },
) {
  if (slugs.length === 0) return null;
  return (
    <span class="marks">
      {slugs.map((slug) => <ToolMark key={slug} slug={slug} isAlone />)}{" "}
      <span class="quiet">{relation} {slugs.map((slug) => nameOfTool(slug)).join(", ")}</span>
    </span>
  );
}
