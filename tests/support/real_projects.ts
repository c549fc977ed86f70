/** A project from its package's own metadata. */
export interface RealProject {
  name: string;
  homepage: string | null;
  description: string;
  keywords: string[];
  repository: string | null;
  license: string | null;
  version: string;
}

/** The 388 real projects of `tests/fixtures/projects.jsonl`. */
export function readRealProjects(): RealProject[] {
  const file = new URL("../fixtures/projects.jsonl", import.meta.url);
  return Deno.readTextFileSync(file).trim().split("\n").map((line) => JSON.parse(line));
}

/**
 * Maps package metadata to submit fields: homepage (else repository) is the URL, the start of the
 * description is the tagline, matching keywords are tags. A project without a URL gets its
 * package's page.
 */
export function toSubmission(project: RealProject): Record<string, unknown> {
  const { name, homepage, description, keywords } = project;
  // Some metadata includes the user of an SSH remote, which doesn't belong in a public URL.
  const repository = project.repository?.replace(/^https:\/\/[^/@]+@/, "https://") ?? null;
  const tags = keywords.filter((keyword) => /^[a-z0-9-]{1,24}$/.test(keyword)).slice(0, 6);
  return {
    name,
    url: homepage || repository || `https://www.npmjs.com/package/${name}`,
    tagline: description.slice(0, 120),
    description,
    category: "open-source",
    tags,
    pricing: "open-source",
    ...(!repository ? {} : { repoUrl: repository }),
  };
}
