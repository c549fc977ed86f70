import ThemeSwitcher from "../islands/ThemeSwitcher.tsx";
import { type SiteThemeId, siteThemes } from "../lib/catalog/themes.ts";
import { paths } from "../lib/urls.ts";
import { ProjectSearch } from "./ProjectSearch.tsx";
import { THEME_SWITCH, ThemeChoices } from "./ThemeChoices.tsx";

/**
 * The sections linked in the header, with the pages that belong to one but aren't below its path.
 * The last is only in the menu.
 */
const SECTIONS: readonly (readonly [path: string, name: string, pages?: RegExp])[] = [
  [paths.projects, "Projects", /^\/(?:p|c|t|categories|tools|tags)(?:\/|$)/],
  [paths.skills, "Skills"],
  [paths.poll, "AI poll"],
  [paths.guestbook, "Guestbook"],
  [paths.promote, "Promote", /^\/(?:auctions|checkout)(?:\/|$)/],
  [paths.agents, "Agents"],
  [paths.help, "Help"],
];

const THEMES = siteThemes.map(({ id, name }) => ({ id, name }));

/**
 * The header of every page: skip link, wordmark, sections, search, themes and the submit link. In a
 * narrow window, all but the first and last are one menu, a popover, so it opens without a script.
 * If the page has a script anyway (`hasScript`), its theme switch needs no reload, and `/` focuses
 * its search. A page with its own search field (`hasSearch`) needs no other. `back` is the URL of
 * the page; null for a form's response, which no URL leads back to, so its theme switch is
 * disabled: using it would lose what was typed.
 */
export function SiteHeader(
  { siteName, path, theme, back, hasScript, hasSearch }: {
    siteName: string;
    path: string;
    theme: SiteThemeId;
    back: string | null;
    hasScript: boolean;
    hasSearch: boolean;
  },
) {
  const Themes = hasScript ? ThemeSwitcher : ThemeChoices;
  return (
    <header class="site-header">
      <a class="skip" href="#main">Skip to content</a>
      <div class="bar">
        {/* Every page is under Home, so only the home page itself marks it as current. */}
        <a class="wordmark" href={paths.home} aria-current={path === paths.home ? "page" : "false"}>
          {siteName}
        </a>
        <div id="site-menu" popover="auto">
          <nav aria-label="Sections">
            <ul class="plain">
              {SECTIONS.map(([href, name, pages]) => (
                <li key={href}>
                  <a href={href} {...(pages?.test(path) && { "aria-current": "true" })}>{name}</a>
                </li>
              ))}
            </ul>
          </nav>
          {!hasSearch && <ProjectSearch id="search" label="Site search" />}
          <button
            type="button"
            id={THEME_SWITCH}
            class="button"
            popovertarget="theme-menu"
            disabled={back === null}
          >
            Theme
          </button>
          {back !== null && (
            <div id="theme-menu" popover="auto">
              <Themes themes={THEMES} current={theme} action={paths.theme} back={back} />
            </div>
          )}
        </div>
        <a class="button primary" href={paths.submit}>
          Submit<span class="wide">&nbsp;a project</span>
        </a>
        <button type="button" class="button menu-button" popovertarget="site-menu">Menu</button>
      </div>
    </header>
  );
}
