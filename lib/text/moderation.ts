import {
  DataSet,
  englishDataset,
  englishRecommendedTransformers,
  pattern,
  RegExpMatcher,
} from "obscenity";
import type { z } from "zod";
import { hasLinkOrMarkup } from "./strip.ts";

/** Ordinary words and names that the English dataset wrongly takes for profanity. */
const INNOCENT = [
  "cockatoo",
  "cockpit",
  "cocktail",
  "cum laude",
  "cumming",
  "cummings",
  "cumulative",
  "dickens",
  "dickinson",
  "dickson",
  "dictionary",
  "fukuda",
  "fukui",
  "fukuoka",
  "fukushima",
  "moby dick",
  "peacock",
  "penistone",
  "philip k. dick",
  "philip k dick",
  "pussy willow",
  "pussycat",
  "rapeseed",
  "retardant",
  "scunthorpe",
  "shiitake",
  "tit for tat",
];

const dataset = new DataSet<{ originalWord: string }>().addAll(englishDataset)
  .addPhrase((phrase) => {
    INNOCENT.forEach((term) => phrase.addWhitelistedTerm(term));
    return phrase.setMetadata({ originalWord: "nazi" }).addPattern(pattern`|nazi|`)
      .addPattern(pattern`heil hitler`);
  });

const profanity = new RegExpMatcher({ ...dataset.build(), ...englishRecommendedTransformers });

/** Patterns of advertising and fraud that public walls attract. */
const SPAM: readonly RegExp[] = [
  /\b(?:casino|viagra|cialis|xanax|onlyfans|forex signals?|payday loans?|escorts?)\b/i,
  /\b(?:free|easy|quick) (?:money|cash|crypto|bitcoin|followers|robux|v-?bucks)\b/i,
  /\b(?:buy|order|shop) now\b/i,
  /\b(?:double|triple) your (?:money|bitcoin|crypto|income)\b/i,
  /\b(?:make|earn) \$?\d[\d,.]* ?(?:\$|usd|dollars|euros?)?(?: a| per|\/) ?(?:day|week|hour)\b/i,
  /\b(?:airdrop|giveaway|presale)\b.{0,40}\b(?:claim|join|wallet|token)\b/i,
  /\b(?:whatsapp|telegram|signal) ?(?:me|us|at|on|:|@|\+\d)/i,
  /\b(?:cheap|best|guaranteed) (?:seo|backlinks|followers|traffic)\b/i,
  /\bpromo ?code\b/i,
  /\bclick (?:here|the link|my)\b/i,
  // Text that tries to steer the agents that read this site.
  /\b(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|above|earlier|system)\b/i,
  /\b(?:system prompt|<\|im_start\|>|you are now in|reveal your (?:instructions|prompt))\b/i,
];

/**
 * Whether the blocklist matches a text: English profanity and slurs, also spelled with look-alike
 * characters; spam; and instructions aimed at agents. The caller decides whether to refuse the text
 * or to keep it private.
 */
export function isBlocked(text: string): boolean {
  return SPAM.some((spam) => spam.test(text)) || profanity.hasMatch(text);
}

/** Whether a name may be shown: it holds no link, no markup and nothing of the blocklist. */
export function isCleanName(name: string): boolean {
  return !hasLinkOrMarkup(name) && !isBlocked(name);
}

/** The problem that is reported for a name that may not be shown. */
export const UNCLEAN_NAME = "Must not hold links, markup, profanity or advertising";

/** The rule of `isCleanName` on a zod string whose value is shown as a name. */
export function cleanName(schema: z.ZodString): z.ZodString {
  return schema.refine(isCleanName, UNCLEAN_NAME);
}
