/** Every page of the site that has an address of its own, for tests that walk them all. */
export function sitePages(slugs: readonly string[]): string[] {
  const [first, promoted] = slugs;
  return [
    "/",
    "/projects",
    "/projects?q=react&sort=top",
    "/projects?q=nothing-is-called-this",
    `/p/${first}`,
    `/p/${promoted}`,
    `/p/${first}/edit`,
    "/p/nothing-here",
    "/submit",
    "/categories",
    "/c/open-source",
    "/c/game",
    "/tools",
    "/t/claude-code",
    "/skills",
    "/skills?kind=workflow",
    "/skills/changelog-writer",
    "/skills/changelog-writer/edit",
    "/skills/long-words",
    "/skills/submit",
    "/theme",
    "/about",
    "/terms",
    "/privacy",
    "/ranking",
  ];
}
