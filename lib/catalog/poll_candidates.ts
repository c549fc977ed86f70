import { z } from "zod";

/** One poll candidate. `openWeights` is true if its maker publishes its current models' weights. */
type Row = readonly [name: string, maker: string, openWeights: boolean];

// Grok's and OpenAI's published weights (grok-1, gpt-oss) are not the models behind these names.
const rows = {
  "claude": ["Claude", "Anthropic", false],
  "chatgpt": ["ChatGPT", "OpenAI", false],
  "grok": ["Grok", "xAI", false],
  "gemini": ["Gemini", "Google", false],
  "llama": ["Llama", "Meta", true],
  "deepseek": ["DeepSeek", "DeepSeek", true],
  "qwen": ["Qwen", "Alibaba", true],
  "mistral": ["Mistral", "Mistral AI", true],
  "kimi": ["Kimi", "Moonshot AI", true],
  "glm": ["GLM", "Z.ai", true],
  "minimax": ["MiniMax", "MiniMax", true],
  "gemma": ["Gemma", "Google", true],
  "phi": ["Phi", "Microsoft", true],
  "nemotron": ["Nemotron", "NVIDIA", true],
  "command-r": ["Command R", "Cohere", true],
  "perplexity": ["Perplexity", "Perplexity", false],
  "copilot": ["Copilot", "Microsoft", false],
  "other": ["Other", "Various", false],
} satisfies Record<string, Row>;

/** Slugs of the poll candidates; `other` takes a write-in. */
export const candidateSlug = z.enum(Object.keys(rows) as (keyof typeof rows)[]);

/** Slug of a poll candidate. */
export type CandidateSlug = z.infer<typeof candidateSlug>;

/** The candidates, in the order of {@link candidateSlug}. */
export const candidates = Object.freeze(
  candidateSlug.options.map((slug) => {
    const [name, maker, openWeights] = rows[slug];
    return Object.freeze({ slug, name, maker, openWeights });
  }),
);
