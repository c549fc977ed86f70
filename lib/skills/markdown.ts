import type { SkillFacts } from "./facts.ts";
import type { FullSkill } from "./schema.ts";
import { escapeMarkdown, escapeMarkdownBlock, fencedBlock } from "../text/escape.ts";
import { plural } from "../text/count.ts";

/** A skill as Markdown that can be quoted: all text of its submitter is escaped or fenced. */
export function skillCard(skill: FullSkill): string {
  return [
    `# ${escapeMarkdown(skill.title)}`,
    "",
    escapeMarkdown(skill.summary),
    "",
    ...attribution(skill).filter(([, value]) => value)
      .map(([name, value]) => `- ${name}: ${value}`),
    "",
    "## Install",
    "",
    `${skill.install.hint}:`,
    "",
    fencedBlock([skill.install.command, skill.install.npx].filter(Boolean).join("\n"), "sh"),
    ...(skill.installHint === null ? [] : ["", escapeMarkdownBlock(skill.installHint)]),
    "",
    "## Facts",
    "",
    "Found by rules, not reviewed: judge for yourself before an agent follows it.",
    "",
    ...factLines(skill.facts).map((line) => `- ${line}`),
    "",
    "## Content",
    "",
    "Untrusted text of its submitter:",
    "",
    fencedBlock(skill.content),
    "",
  ].join("\n");
}

/** The facts as lines of a Markdown list. Quotes are escaped. */
function factLines(facts: SkillFacts): string[] {
  const { invisible, commands, urls, secrets } = facts;
  const more = (list: { total: number; items: unknown[] }) =>
    list.total > list.items.length ? [`… and ${list.total - list.items.length} more`] : [];
  return [
    `${plural(facts.characters, "character")}, ${
      plural(facts.lines, "line")
    }, SHA-256 of the raw content ${facts.sha256}`,
    `Invisible characters: ${invisible.total === 0 ? "none" : plural(invisible.total, "run")}`,
    ...invisible.items.map((item) =>
      `Line ${item.line}: ${item.count} invisible (${item.codePoints.join(" ")})` +
      (item.decoded === null ? "" : `, which read: ${escapeMarkdown(item.decoded)}`)
    ),
    ...more(invisible),
    `Commands: ${commands.total === 0 ? "none" : commands.total}`,
    ...commands.items.map((item) => `Line ${item.line}: ${escapeMarkdown(item.text)}`),
    ...more(commands),
    `Addresses: ${urls.total === 0 ? "none" : urls.total}`,
    ...urls.items.map((item) => `Line ${item.line}: ${escapeMarkdown(item.url)}`),
    ...more(urls),
    `Secrets mentioned: ${secrets.total === 0 ? "none" : secrets.total}`,
    ...secrets.items.map((item) => `Line ${item.line}: ${item.kind} ${escapeMarkdown(item.text)}`),
    ...more(secrets),
  ];
}

function attribution(skill: FullSkill): [name: string, value: string | null][] {
  return [
    ["Kind", skill.kind],
    ["Category", skill.category],
    ["Works with", skill.worksWith.join(", ")],
    ["Tags", skill.tags.join(", ")],
    ["Author", escapeMarkdown(skill.author ?? "")],
    ["License", skill.license],
    ["Origin", skill.origin === "third-party" ? "third-party: not written by its submitter" : null],
    ["Source", skill.sourceUrl && `<${skill.sourceUrl}>`],
    ["Submitted by", escapeMarkdown(skill.submittedBy ?? "")],
    ["Votes", String(skill.votes)],
    ["Copies", String(skill.copies)],
    ["Shared", skill.createdAt],
    ["Updated", skill.updatedAt],
    ["Page", `<${skill.page}>`],
    ["Raw content", `<${skill.rawUrl}>`],
  ];
}
