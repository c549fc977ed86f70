import { nameOfTool, tools, type ToolSlug } from "../lib/catalog/tools.ts";
import { toolClass } from "../lib/themes/stylesheet.ts";

const bySlug = new Map(tools.map((tool) => [tool.slug, tool]));

/** A tool's mark: its glyph on its color. The tool's name is always next to it. */
export function ToolMark({ slug }: { slug: ToolSlug }) {
  return <span class={`mark ${toolClass(slug)}`} aria-hidden="true">{bySlug.get(slug)!.glyph}
  </span>;
}

/** Tools as marks with names, each a link to the list that `pathOf` gives. */
export function ToolLinks(
  { slugs, pathOf }: { slugs: readonly ToolSlug[]; pathOf: (tool: ToolSlug) => string },
) {
  return (
    <ul class="cluster plain">
      {slugs.map((slug) => (
        <li key={slug}>
          <ToolMark slug={slug} /> <a href={pathOf(slug)}>{nameOfTool(slug)}</a>
        </li>
      ))}
    </ul>
  );
}

/** How many tools are listed on a line. */
const NAMED = 3;

/**
 * "with" and the names of tools on a line. Screen readers hear `relation` first, as in
 * "Built with".
 */
export function ToolNames(
  { slugs, relation }: { slugs: readonly ToolSlug[]; relation: "Built" | "Works" },
) {
  if (slugs.length === 0) return null;
  const rest = slugs.slice(NAMED).map(nameOfTool);
  return (
    <span class="extra">
      <span class="quiet">{relation}</span> with {slugs.slice(0, NAMED).map(nameOfTool).join(", ")}
      {rest.length > 0 && (
        <>
          {" "}
          <span title={rest.join(", ")}>and {rest.length} more</span>
        </>
      )}
    </span>
  );
}
