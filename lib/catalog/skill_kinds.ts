import { z } from "zod";

/** One kind of skill: its name, where its content goes and how it gets there. */
interface Row {
  readonly name: string;
  /** The name of the accent color of its tiles. */
  readonly accent: string;
  /**
   * Path inside a project, with `<slug>` for the skill's slug; null if nothing is saved as a file.
   */
  readonly installPath: string | null;
  /** True if the content is added to an existing file instead of saved as a new one. */
  readonly append: boolean;
  /** One sentence with `<slug>` for the skill's slug. */
  readonly hint: string;
}

const rows = {
  "skill-md": {
    name: "SKILL.md",
    accent: "Ember",
    installPath: ".claude/skills/<slug>/SKILL.md",
    append: false,
    hint: "Save as .claude/skills/<slug>/SKILL.md",
  },
  "agents-md": {
    name: "AGENTS.md",
    accent: "Cobalt",
    installPath: "AGENTS.md",
    append: true,
    hint: "Append to AGENTS.md or CLAUDE.md in the repo root",
  },
  "cursor-rules": {
    name: "Cursor rules",
    accent: "Violet",
    installPath: ".cursor/rules/<slug>.mdc",
    append: false,
    hint: "Save as .cursor/rules/<slug>.mdc",
  },
  "prompt": {
    name: "Prompt",
    accent: "Amber",
    installPath: "<slug>.md",
    append: false,
    hint: "Paste into a chat, or save as <slug>.md",
  },
  "mcp-server": {
    name: "MCP server",
    accent: "Mint",
    installPath: "<slug>.mcp.json",
    append: false,
    hint: "Add to mcpServers in your client's MCP settings, such as .mcp.json",
  },
  "gpt-instructions": {
    name: "GPT instructions",
    accent: "Lagoon",
    installPath: "<slug>.md",
    append: false,
    hint: "Paste into the Instructions field of a custom GPT or your assistant's settings",
  },
  "workflow": {
    name: "Workflow",
    accent: "Lime",
    installPath: "<slug>.workflow.txt",
    append: false,
    hint: "Follow it step by step, or import it into the automation tool it names",
  },
} satisfies Record<string, Row>;

/** Slugs of the kinds of skills. */
export const skillKind = z.enum(Object.keys(rows) as (keyof typeof rows)[]);

/** Slug of a kind of skill. */
export type SkillKind = z.infer<typeof skillKind>;

/** The kinds, in the order of {@link skillKind}. */
export const skillKinds = Object.freeze(
  skillKind.options.map((kind) => Object.freeze({ kind, ...rows[kind] })),
);

/** The name of a kind of skill by its slug. */
export function nameOfKind(kind: SkillKind): string {
  return rows[kind].name;
}

/** The name of the accent color of a kind of skill. */
export function accentOfKind(kind: SkillKind): string {
  return rows[kind].accent;
}
