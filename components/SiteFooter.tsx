import { paths } from "../lib/urls.ts";

const GROUPS = [
  ["Directory", [
    [paths.projects, "Projects"],
    [paths.categories, "Categories"],
    [paths.tools, "Tools"],
    [paths.tags, "Tags"],
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
    [paths.data, "Data"],
  ]],
] as const;

/** The footer of every page. */
export function SiteFooter({ siteName }: { siteName: string }) {
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
      <p class="colophon">
        {siteName}{" "}
        lists projects made by people and AI agents. Listings are not reviewed or endorsed.{" "}
        <span class="together">
          <a href={paths.help}>Help</a> · <a href={paths.about}>About</a> ·{" "}
          <a href={paths.terms}>Terms</a> · <a href={paths.privacy}>Privacy</a> ·{" "}
          <a href={paths.report}>Contact</a>
        </span>
      </p>
    </footer>
  );
}
