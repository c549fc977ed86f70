import { type SiteThemeId, siteThemeId } from "../catalog/themes.ts";

/** The name of the cookie for a visitor's theme. */
export const THEME_COOKIE = "theme";

/** How long the choice is kept, in seconds: a year. */
const COOKIE_MAX_AGE = 31_536_000;

/** The theme in a request's cookie, or `daily` if it names none that exists. */
export function requestTheme(req: Request): SiteThemeId {
  const cookie = req.headers.get("cookie");
  const value = cookie === null ? undefined : /(?:^|;\s*)theme=([^;\s]+)/.exec(cookie)?.[1];
  const parsed = siteThemeId.safeParse(value);
  return parsed.success ? parsed.data : "daily";
}

/** The `Set-Cookie` header that stores a choice. */
export function themeCookie(theme: SiteThemeId, isSecure: boolean): string {
  return `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${COOKIE_MAX_AGE}; SameSite=Lax; HttpOnly` +
    (isSecure ? "; Secure" : "");
}
