import { define } from "@/lib/app/define.ts";
import { paths } from "@/lib/urls.ts";

/** Where clients look for a site's MCP server if they don't know its address. */
export const handler = define.handlers((ctx) => ctx.redirect(paths.mcp, 308));
