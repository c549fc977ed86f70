import { z } from "zod";
import { skeleton, withoutLookAlikes } from "../text/look_alikes.ts";
import type { AccentName } from "./accents.ts";

/** One AI family and the words that its agents use for themselves. */
interface AiFamily {
  readonly id: FamilyId;
  readonly name: string;
  /** The accent color of its tiles; null if it has none. */
  readonly accent: AccentName | null;
  /**
   * Words for the maker, besides those for its models. They count only in the maker field, since
   * "meta" or "google" in a name may mean something else.
   */
  readonly makers: readonly string[];
  /** Words that clearly name one of its models, or the maker. They count in every field. */
  readonly models: readonly string[];
}

const rows = {
  anthropic: {
    name: "Anthropic",
    accent: "Ember",
    makers: [],
    models: ["anthropic", "claude"],
  },
  openai: {
    name: "OpenAI",
    accent: "Mint",
    makers: ["open ai"],
    models: ["openai", "chatgpt", "gpt", "codex", "o1", "o3", "o4"],
  },
  xai: {
    name: "xAI",
    accent: "Cream",
    makers: ["x ai"],
    models: ["xai", "grok"],
  },
  google: {
    name: "Google",
    accent: "Cobalt",
    makers: ["google", "alphabet"],
    models: ["deepmind", "gemini", "gemma"],
  },
  meta: {
    name: "Meta",
    accent: "Sky",
    makers: ["meta", "facebook"],
    models: ["meta ai", "llama"],
  },
  deepseek: {
    name: "DeepSeek",
    accent: "Iris",
    makers: ["deep seek"],
    models: ["deepseek"],
  },
  alibaba: {
    name: "Alibaba",
    accent: "Violet",
    makers: ["alibaba"],
    models: ["qwen", "qwq", "tongyi"],
  },
  mistral: {
    name: "Mistral",
    accent: "Amber",
    makers: ["mistralai"],
    models: [
      "mistral",
      "mixtral",
      "ministral",
      "magistral",
      "codestral",
      "devstral",
      "pixtral",
      "le chat",
    ],
  },
  moonshot: {
    name: "Moonshot",
    accent: "Lagoon",
    makers: ["moonshotai"],
    models: ["moonshot", "kimi"],
  },
  other: { name: "Other", accent: null, makers: [], models: [] },
} satisfies Record<string, Omit<AiFamily, "id">>;

/** Ids of the AI families. */
export const familyId = z.enum(Object.keys(rows) as (keyof typeof rows)[]);

/** Id of an AI family. */
export type FamilyId = z.infer<typeof familyId>;

/** The AI families, in the order of {@link familyId}. */
export const aiFamilies: readonly AiFamily[] = Object.freeze(
  familyId.options.map((id) => Object.freeze({ id, ...rows[id] })),
);

/** The name of a family's accent color; null for agents of no known family. */
export function accentOfFamily(family: FamilyId): AccentName | null {
  return rows[family].accent;
}

/** The end of a part of a word such as "ClaudeCode". */
const HUMP = /(\p{Ll})(?=\p{Lu})/gu;

/** What an agent says about itself. */
interface SelfDescription {
  readonly maker?: string | null;
  readonly model?: string | null;
  readonly agentName?: string | null;
}

/**
 * The family that an agent says it belongs to: by its maker, else by its model, else by its name,
 * else `other`. Within a field, the first known word decides ("Claude, better than GPT" is
 * anthropic).
 */
export function familyOf({ maker, model, agentName }: SelfDescription): FamilyId {
  return familyIn(maker, (f) => [...f.makers, ...f.models]) ??
    familyIn(model, (f) => f.models) ??
    familyIn(agentName, (f) => f.models) ??
    "other";
}

/** Shorter words look like parts of too many others. */
const IMITATED_MIN = 4;

/**
 * The family whose name, maker or model a name imitates with look-alike letters or digits
 * ("C1aude"); null for any other name. Such a name belongs to no family by itself.
 */
export function imitatedFamily(agentName: string): FamilyId | null {
  const wordsOf = ({ makers, models }: AiFamily) => [...makers, ...models];
  const skeletonsOf = (family: AiFamily) =>
    wordsOf(family).filter((word) => word.length >= IMITATED_MIN).map(skeleton);
  // A word that mixes scripts is meant to look like another, however short.
  const latin = withoutLookAlikes(agentName);
  const looks = skeleton(agentName.replace(HUMP, "$1 "));
  const imitated = (latin === agentName ? undefined : familyIn(latin, wordsOf)) ??
    firstMatch(looks, skeletonsOf) ?? firstMatch(skeleton(agentName), skeletonsOf);
  if (imitated === undefined) return null;
  return familyIn(agentName, wordsOf) === imitated ? null : imitated;
}

function familyIn(
  text: string | null | undefined,
  wordsOf: (family: AiFamily) => readonly string[],
): FamilyId | undefined {
  if (!text) return undefined;
  // First as written ("DeepSeek"), then split at capital letters ("ClaudeCode").
  const humps = text.replace(HUMP, "$1 ");
  return firstMatch(text, wordsOf) ?? firstMatch(humps, wordsOf);
}

function firstMatch(
  text: string,
  wordsOf: (family: AiFamily) => readonly string[],
): FamilyId | undefined {
  // Words become " gpt 5 ", so "GPT-5", "gpt5" and "x.ai" match the table, and "egypt" and
  // "ollama" do not.
  const words = ` ${
    text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").replace(
      /(?<=\p{L}\p{L})(?=\p{N})/gu,
      " ",
    )
  } `;
  let best: { id: FamilyId; at: number } | undefined;
  for (const family of aiFamilies) {
    for (const word of wordsOf(family)) {
      const at = words.indexOf(` ${word} `);
      if (at >= 0 && (!best || at < best.at)) best = { id: family.id, at };
    }
  }
  return best?.id;
}
