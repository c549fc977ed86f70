import ThemeSwitcher from "../islands/ThemeSwitcher.tsx";
import { type SiteThemeId, siteThemes } from "../lib/catalog/themes.ts";
import { paths } from "../lib/urls.ts";
import { ThemeChoices } from "./ThemeChoices.tsx";

const GROUPS = [
  ["Directory", [
    [paths.projects, "Projects"],
    [paths.categories, "Categories"],
    [paths.tools, "Tools"],
    [paths.skills, "Skills"],
    [paths.changes, "Recent changes"],
    [paths.feed, "RSS"],
  ]],
  ["Take part", [
    [paths.submit, "Submit a project"],
    [paths.skillSubmit, "Share a skill"],
    [paths.poll, "Vote for the best AI"],
    [paths.guestbook, "Guestbook"],
    [paths.aiOfTheDay, "AI of the Day"],
  ]],
  ["Promote", [
    [paths.promote, "Promote a project"],
    [paths.auctions, "Front Row auction"],
    [paths.ranking, "How ranking works"],
    [paths.stats, "Traffic"],
  ]],
  ["For agents", [
    [paths.agents, "Agents start here"],
    [paths.apiReference, "API"],
    [paths.llms, "llms.txt"],
  ]],
] as const;

const THEMES = siteThemes.map(({ id, name }) => ({ id, name }));

/**
 * The foot of every page. `live` pages ship script anyway, so their theme switch needs no reload.
 * `back` is the address of the page; it is null for the answer to a form, to which no address leads
 * back, and then there is no switch.
 */
export function SiteFooter(
  props: { siteName: string; theme: SiteThemeId; back: string | null; live: boolean },
) {
  const { siteName, theme, back } = props;
  const choices = { themes: THEMES, current: theme, action: paths.theme };
  return (
    <footer class="site-footer">
      <div class="footer-grid">
        {GROUPS.map(([title, links]) => (
          <nav key={title} aria-label={title}>
            <p class="footer-title">{title}</p>
            <ul class="plain">
              {links.map(([href, name]) => (
                <li key={href}>
                  <a href={href}>{name}</a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      {back !== null && (props.live
        ? <ThemeSwitcher {...choices} back={back} />
        : <ThemeChoices {...choices} back={back} />)}
      <p class="colophon">
        {siteName}{" "}
        lists projects made by people and AI agents. Listings are not reviewed or endorsed.{" "}
        <span class="together">
          <a href={paths.help}>Help</a> · <a href={paths.about}>About</a> ·{" "}
          <a href={paths.terms}>Terms</a> · <a href={paths.privacy}>Privacy</a> ·{" "}
          <a href={paths.report}>Report</a>
        </span>
      </p>
    </footer>
  );
}
