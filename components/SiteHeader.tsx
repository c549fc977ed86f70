import { paths } from "../lib/urls.ts";

/** The sections that the header links to. */
const SECTIONS = [
  [paths.projects, "Projects"],
  [paths.skills, "Skills"],
  [paths.poll, "Best AI"],
  [paths.guestbook, "Guestbook"],
  [paths.auctions, "Front Row"],
  [paths.about, "About"],
] as const;

/**
 * Pages that belong to the projects although their addresses do not begin with that of their list.
 */
const OF_PROJECTS = /^\/(?:p|c|t|categories|tools)(?:\/|$)/;

/** The head of every page: skip link, wordmark, sections and the way to submit. */
export function SiteHeader({ siteName, path }: { siteName: string; path: string }) {
  return (
    <header class="site-header">
      <a class="skip" href="#main">Skip to content</a>
      <div class="bar">
        {/* Home is above every page, and current on none but itself. */}
        <a class="wordmark" href={paths.home} aria-current={path === paths.home ? "page" : "false"}>
          {siteName}
        </a>
        <nav aria-label="Sections">
          <ul class="plain">
            {SECTIONS.map(([href, name]) => (
              <li key={href}>
                <a
                  href={href}
                  {...(href === paths.projects && OF_PROJECTS.test(path) &&
                    { "aria-current": "true" })}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <a class="button primary" href={paths.submit}>Submit a project</a>
      </div>
    </header>
  );
}
