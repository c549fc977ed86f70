import { paths } from "../lib/urls.ts";

/** What the header leads to. */
const SECTIONS = [
  [paths.projects, "Projects"],
  [paths.skills, "Skills"],
  [paths.poll, "Best AI"],
  [paths.guestbook, "Guestbook"],
  [paths.auctions, "Front Row"],
  [paths.about, "About"],
] as const;

/** The head of every page: skip link, wordmark, sections and the way to submit. */
export function SiteHeader({ siteName, isHome }: { siteName: string; isHome: boolean }) {
  return (
    <header class="site-header">
      <a class="skip" href="#main">Skip to content</a>
      <div class="bar">
        {/* Home is above every page, and current on none but itself. */}
        <a class="wordmark" href={paths.home} aria-current={isHome ? "page" : "false"}>
          {siteName}
        </a>
        <nav aria-label="Sections">
          <ul class="plain">
            {SECTIONS.map(([href, name]) => (
              <li key={href}>
                <a href={href}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
        <a class="button primary" href={paths.submit}>Submit a project</a>
      </div>
    </header>
  );
}
