import { page } from "fresh";
import { z } from "zod";
import { Page } from "@/components/Page.tsx";
import { getDailyTheme } from "@/lib/ai_of_the_day/service.ts";
import { define } from "@/lib/app/define.ts";
import { siteThemeId, siteThemes } from "@/lib/catalog/themes.ts";
import { readForm } from "@/lib/http/body.ts";
import { NO_STORE } from "@/lib/http/forms.ts";
import { parseInput } from "@/lib/http/input.ts";
import { localPath } from "@/lib/http/respond.ts";
import { requestTheme, themeCookie } from "@/lib/themes/cookie.ts";
import { isDark } from "@/lib/themes/stylesheet.ts";
import { paths } from "@/lib/urls.ts";

const Choice = z.object({ theme: siteThemeId, back: z.string().max(2000).optional() });

export const handler = define.handlers({
  async GET(ctx) {
    const today = await getDailyTheme(ctx.state.deps);
    return page({ current: requestTheme(ctx.req), today }, NO_STORE);
  },

  async POST(ctx) {
    const { urls } = ctx.state.deps;
    const { theme, back } = parseInput(Choice, await readForm(ctx.req));
    const response = ctx.redirect(localPath(back, paths.theme), 303);
    response.headers.set("Cache-Control", "no-store");
    response.headers.set("Set-Cookie", themeCookie(theme, urls.base.startsWith("https:")));
    return response;
  },
});

export default define.page<typeof handler>(function ThemePage({ data, state }) {
  return (
    <Page deps={state.deps} title="Themes">
      <h1>Themes</h1>
      <p class="lead">
        Your choice is saved in a cookie on this device.
      </p>
      <form method="post" action={paths.theme}>
        <input type="hidden" name="back" value={paths.theme} />
        <ul class="plain theme-list">
          {siteThemes.map(({ id, name, palette }) => (
            <li key={id}>
              <button
                type="submit"
                name="theme"
                value={id}
                data-theme={id}
                class="theme-card"
                aria-pressed={id === data.current ? "true" : "false"}
              >
                <span class="theme-name">{name}</span>{" "}
                <span>
                  {id !== "daily"
                    ? isDark(palette) ? "Dark" : "Light"
                    : data.today === null
                    ? "Changes daily"
                    : (
                      <>
                        <span dir="auto">{data.today.name}</span>, changes daily
                      </>
                    )}
                  {id === data.current && ", in use"}
                </span>
                <span class="palette" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      </form>
    </Page>
  );
});
