import { define } from "@/lib/app/define.ts";
import { paths, withQuery } from "@/lib/urls.ts";

/** Hidden gems are a view of the projects; their feeds suggest this URL. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(withQuery(paths.projects, { gems: 1 }), 308),
});
