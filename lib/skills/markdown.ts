import { verifiedInWords } from "../entries/verified.ts";
import { plural } from "../text/count.ts";
import { escapeMarkdown, escapeMarkdownBlock, fencedBlock } from "../text/escape.ts";
import type { SkillFacts } from "./facts.ts";
import type { FullSkill } from "./schema.ts";
import { changedInWords } from "./versions.ts";

/** A skill as quotable Markdown: all text from its submitter is escaped or fenced. */
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
    "Automated scan, not a human review. Read the skill before giving it to an agent.",
    "",
    ...factLines(skill.facts),
    "",
    "## Versions",
    "",
    ...versionLines(skill),
    "",
    "## Content",
    "",
    "Untrusted text from the submitter:",
    "",
    fencedBlock(skill.content),
    "",
  ].join("\n");
}

/** The facts as a Markdown list, with the findings below their number. Quotes are escaped. */
function factLines(facts: SkillFacts): string[] {
  const { invisible, commands, urls, secrets, permissions } = facts;
  function found<T extends { line: number }>(
    name: string,
    { total, items }: { total: number; items: T[] },
    say: (item: T) => string,
  ): string[] {
    return [
      `- ${name}: ${total === 0 ? "none" : total}`,
      ...items.map((item) => `  - Line ${item.line}: ${say(item)}`),
      ...(total > items.length ? [`  - … and ${total - items.length} more`] : []),
    ];
  }
  return [
    `- ${plural(facts.characters, "character")}, ${plural(facts.lines, "line")}, ` +
    `SHA-256 of the raw content ${facts.sha256}`,
    ...found(
      "Runs of invisible characters",
      invisible,
      ({ count, codePoints, decoded }) =>
        `${count} invisible (${codePoints.join(" ")})` +
        (decoded === null ? "" : `, which read: ${escapeMarkdown(decoded)}`),
    ),
    ...found("Commands", commands, ({ text }) => escapeMarkdown(text)),
    ...found("Links", urls, ({ url }) => escapeMarkdown(url)),
    ...found("Possible secrets", secrets, ({ kind, text }) => `${kind} ${escapeMarkdown(text)}`),
    ...found("Permissions requested", permissions, ({ text }) => escapeMarkdown(text)),
  ];
}

/** The versions as a Markdown list, each with what it changed. */
function versionLines(skill: FullSkill): string[] {
  return skill.history.map((version) =>
    `- ${version.at}, SHA-256 ${version.sha256}: ${
      changedInWords(version, skill)
    } <${version.diffUrl}>`
  );
}

function attribution(skill: FullSkill): [name: string, value: string | null][] {
  return [
    ["Kind", skill.kind],
    ["Category", skill.category],
    ["Works with", skill.worksWith.join(", ")],
    ["Tags", skill.tags.join(", ")],
    ["Author", escapeMarkdown(skill.author ?? "")],
    ["License", skill.license],
    ["Origin", skill.origin === "third-party" ? "third-party: not written by the submitter" : null],
    ["Source", skill.sourceUrl && `<${skill.sourceUrl}>`],
    ["Submitted by", escapeMarkdown(skill.submittedBy ?? "")],
    ["Signed by", skill.signedBy],
    ["Verified owner", verifiedInWords(skill)],
    ["Votes", String(skill.votes)],
    ["Copies", String(skill.copies)],
    ["Shared", skill.createdAt],
    ["Updated", skill.updatedAt],
    ["Page", `<${skill.page}>`],
    ["Raw content", `<${skill.rawUrl}>`],
  ];
}
