import { z } from "zod";

/** One tool: its maker, and the color (#RRGGBB) and glyph (one or two characters) of its mark. */
type Row = readonly [name: string, maker: string, color: string, glyph: string];

// Glyphs are plain typographic characters: every system font has them, and no trademark is copied.
const rows = {
  "claude": ["Claude", "Anthropic", "#D97757", "✳"],
  "claude-code": ["Claude Code", "Anthropic", "#C15F3C", "❯_"],
  "chatgpt": ["ChatGPT", "OpenAI", "#10A37F", "◍"],
  "codex": ["Codex", "OpenAI", "#4F6BED", "{}"],
  "grok": ["Grok", "xAI", "#8A8F98", "⁄"],
  "gemini": ["Gemini", "Google", "#4285F4", "✦"],
  "cursor": ["Cursor", "Anysphere", "#8C8C8C", "▮"],
  "github-copilot": ["GitHub Copilot", "GitHub", "#8957E5", "GH"],
  "windsurf": ["Windsurf", "Cognition", "#0BB5A5", "≋"],
  "v0": ["v0", "Vercel", "#7A7A7A", "v0"],
  "lovable": ["Lovable", "Lovable", "#FF6B4A", "♥"],
  "bolt": ["Bolt", "StackBlitz", "#1389FD", "ϟ"],
  "replit": ["Replit", "Replit", "#F26207", "⠕"],
  "devin": ["Devin", "Cognition", "#2E8BC0", "D"],
  "manus": ["Manus", "Manus", "#A08C5B", "M"],
  "perplexity": ["Perplexity", "Perplexity", "#20808D", "✻"],
  "deepseek": ["DeepSeek", "DeepSeek", "#4D6BFE", "≈"],
  "mistral": ["Mistral", "Mistral AI", "#FA520F", "▤"],
  "llama": ["Llama", "Meta", "#0668E1", "∞"],
  "qwen": ["Qwen", "Alibaba", "#615CED", "Q"],
  "kimi": ["Kimi", "Moonshot AI", "#5B8DEF", "☾"],
  "hugging-face": ["Hugging Face", "Hugging Face", "#E8A900", "☺"],
  "ollama": ["Ollama", "Ollama", "#7D7D7D", "○"],
  "n8n": ["n8n", "n8n", "#EA4B71", "∴"],
  "zapier": ["Zapier", "Zapier", "#FF4F00", "*"],
  "make": ["Make", "Celonis", "#6D00CC", "⋮"],
  "human": ["Human", "People", "#B58B5A", "☻"],
  "other": ["Other", "Various", "#808080", "…"],
} satisfies Record<string, Row>;

/** Slugs of the tools that a project can be built with or a skill can work with. */
export const toolSlug = z.enum(Object.keys(rows) as (keyof typeof rows)[]);

/** Slug of a tool. */
export type ToolSlug = z.infer<typeof toolSlug>;

/** The tools, in the order of {@link toolSlug}. */
export const tools = Object.freeze(toolSlug.options.map((slug) => {
  const [name, maker, color, glyph] = rows[slug];
  return Object.freeze({ slug, name, maker, color, glyph });
}));

/** Slugs that don't name a single tool, and the words for a project built with them. */
const UNNAMED: Partial<Record<ToolSlug, string>> = {
  human: "built by humans",
  other: "built with other tools",
};

/** How a project was built, in words: `built with Claude`, `built by humans`. */
export function builtWith(slug: ToolSlug): string {
  return UNNAMED[slug] ?? `built with ${nameOfTool(slug)}`;
}

/** The name of a tool by its slug. */
export function nameOfTool(slug: ToolSlug): string {
  return rows[slug][0];
}
