import { page } from "fresh";
import { ShelfPage } from "@/components/ShelfPage.tsx";
import { ToolMark } from "@/components/ToolMark.tsx";
import { define } from "@/lib/app/define.ts";
import { builtWith, tools } from "@/lib/catalog/tools.ts";
import { ShelfQuery } from "@/lib/discovery/query.ts";
import { feedPaths } from "@/lib/documents/feeds.ts";
import { DomainError } from "@/lib/errors.ts";
import { parsePageQuery } from "@/lib/http/forms.ts";
import { paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  GET(ctx) {
    const tool = tools.find(({ slug }) => slug === ctx.params.slug);
    if (tool === undefined) throw new DomainError("not_found");
    ctx.state.hasScript = true;
    const query = parsePageQuery(ShelfQuery, ctx.url);
    return page({
      tool,
      query,
      list: ctx.state.deps.catalogue.list({ ...query, tool: tool.slug }),
    });
  },
});

export default define.page<typeof handler>(function ToolPage({ data, state, url }) {
  const { tool, query, list } = data;
  const built = builtWith(tool.slug);
  const title = `B${built.slice(1)}`;
  return (
    <ShelfPage
      head={{
        deps: state.deps,
        title,
        description: `Projects ${built}.`,
        path: query.offset === 0 ? paths.tool(tool.slug) : undefined,
      }}
      feeds={feedPaths({ kind: "tool", slug: tool.slug })}
      heading={
        <>
          <ToolMark slug={tool.slug} /> {title}
        </>
      }
      which={built}
      url={url}
      sort={query.sort}
      list={list}
      filter={{ tool: tool.slug }}
    />
  );
});
