import { z } from "zod";
import { define } from "@/lib/app/define.ts";
import { siteThemeId } from "@/lib/catalog/themes.ts";
import { readForm } from "@/lib/http/body.ts";
import { parseInput } from "@/lib/http/input.ts";
import { localPath } from "@/lib/http/respond.ts";
import { themeCookie } from "@/lib/themes/cookie.ts";
import { paths } from "@/lib/urls.ts";

const Choice = z.object({ theme: siteThemeId, back: z.string().max(2000).optional() });

/** Stores the choice of a theme in a cookie, and returns to the page where it was made. */
export const handler = define.handlers({
  async POST(ctx) {
    const { urls } = ctx.state.deps;
    const { theme, back } = parseInput(Choice, await readForm(ctx.req));
    const response = ctx.redirect(localPath(back, paths.home), 303);
    response.headers.set("Cache-Control", "no-store");
    response.headers.set("Set-Cookie", themeCookie(theme, urls.base.startsWith("https:")));
    return response;
  },
});
