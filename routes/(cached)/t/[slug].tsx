import { page } from "fresh";
import { ShelfPage } from "@/components/ShelfPage.tsx";
import { ToolMark } from "@/components/ToolMark.tsx";
import { define } from "@/lib/app/define.ts";
import { builtWith, tools } from "@/lib/catalog/tools.ts";
import { ShelfQuery } from "@/lib/discovery/query.ts";
import { DomainError } from "@/lib/errors.ts";
import { parsePageQuery } from "@/lib/http/forms.ts";

export const handler = define.handlers({
  GET(ctx) {
    const tool = tools.find(({ slug }) => slug === ctx.params.slug);
    if (tool === undefined) throw new DomainError("not_found");
    ctx.state.hasScript = true;
    const query = parsePageQuery(ShelfQuery, ctx.url);
    const list = ctx.state.deps.catalogue.list({ ...query, tool: tool.slug });
    return page({ tool, query, list });
  },
});

export default define.page<typeof handler>(function ToolPage({ data, state, url }) {
  const { tool: { slug }, query, list } = data;
  const built = builtWith(slug);
  const title = `B${built.slice(1)}`;
  return (
    <ShelfPage
      deps={state.deps}
      kind="tool"
      slug={slug}
      title={title}
      description={`Projects ${built}.`}
      heading={
        <>
          <ToolMark slug={slug} /> {title}
        </>
      }
      which={built}
      url={url}
      sort={query.sort}
      list={list}
    />
  );
});
