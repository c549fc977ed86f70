import {
  DataSet,
  englishDataset,
  englishRecommendedTransformers,
  pattern,
  RegExpMatcher,
} from "obscenity";
import type { z } from "zod";
import { hasLinkOrMarkup } from "./links_and_markup.ts";
import { foldName } from "./name_key.ts";

/** Ordinary words and names that the English dataset wrongly flags as profanity. */
const INNOCENT =
  ("assorted, assortment, assyria, cockatoo, cockpit, cocktail, cum laude, cumin, cumming, " +
    "cummings, cumprod, cumsum, cumulative, dickens, dickinson, dickson, dictionary, fkey, fsck, " +
    "fukuda, fukui, fukunaga, fukuoka, fukushima, fukuyama, moby dick, peacock, penistone, " +
    "philip k. dick, philip k dick, pussy willow, pussycat, rapeseed, retardant, scunthorpe, " +
    "shiitake, tit for tat")
    .split(", ");

const dataset = new DataSet<{ originalWord: string }>().addAll(englishDataset)
  .addPhrase((phrase) => {
    INNOCENT.forEach((term) => phrase.addWhitelistedTerm(term));
    return phrase.setMetadata({ originalWord: "nazi" }).addPattern(pattern`|nazi|`)
      .addPattern(pattern`heil hitler`).addPattern(pattern`asshole`);
  });

const profanity = new RegExpMatcher({ ...dataset.build(), ...englishRecommendedTransformers });

/** Patterns of ads and fraud common on public walls. */
const SPAM: readonly RegExp[] = [
  /\b(?:casino|viagra|cialis|xanax|onlyfans|forex signals?|payday loans?|escorts?)\b/i,
  /\b(?:free|easy|quick) (?:money|cash|crypto|bitcoin|followers|robux|v-?bucks)\b/i,
  /\b(?:buy|order|shop) now\b/i,
  /\b(?:double|triple) your (?:money|bitcoin|crypto|income)\b/i,
  /\b(?:make|earn) \$?\d[\d,.]* ?(?:\$|usd|dollars|euros?)?(?: a| per|\/) ?(?:day|week|hour)\b/i,
  /\b(?:airdrop|giveaway|presale)\b.{0,40}\b(?:claim|join|wallet|token)\b/i,
  /\b(?:whatsapp|telegram|signal) ?(?:(?:me|us)\b|@|\+\d)/i,
  /\b(?:whatsapp|telegram) ?(?:(?:at|on)\b|:)/i,
  /\b(?:cheap|best|guaranteed) (?:seo|backlinks|followers|traffic)\b/i,
  /\bpromo ?code\b/i,
  /\bclick (?:here|the link|my)\b/i,
  // Text that tries to steer agents reading this site.
  /\b(?:ignore|disregard|forget) (?:all |any |the |your )*(?:previous|prior|above|earlier|system)\b/i,
  /\b(?:reveal|print|repeat|leak|show me) (?:your|the) (?:system )?(?:prompt|instructions)\b/i,
  /\byou are now in\b|\bnew system prompt\b|\bsystem prompt ?:|<\|\w+\|>/i,
];

/**
 * True if the blocklist matches: English profanity and slurs, even with look-alike characters;
 * spam; and instructions aimed at agents. The caller decides whether to refuse the text or keep it
 * private.
 */
export function isBlocked(text: string): boolean {
  // Fold wide letters into normal ones. (The profanity list folds them itself.)
  const folded = foldName(text);
  return SPAM.some((spam) => spam.test(folded)) || hasProfanity(text);
}

/** An opening bracket or a slash: neither is the letter it looks like. */
const BRACKET_OR_SLASH = /(?<!\p{L})\(|\//gu;

/**
 * True if text contains profanity or slurs. Digits count as the letters they look like, but a match
 * that is mostly digits is a number: 455 spells nothing.
 */
function hasProfanity(text: string): boolean {
  return profanity.getAllMatches(text.replace(BRACKET_OR_SLASH, " ")).some((found) => {
    const { startIndex, endIndex } = found;
    const match = text.slice(startIndex, endIndex + 1);
    return match.replace(/\d/g, "").length * 2 >= match.length;
  });
}

/** True if a name can be shown: no link, no markup and no match in the blocklist. */
export function isCleanName(name: string): boolean {
  return !hasLinkOrMarkup(name) && !isBlocked(name);
}

/** The problem reported for a name that can't be shown. */
export const UNCLEAN_NAME = "Must not contain links, markup, profanity or advertising";

/** Applies `isCleanName` to a zod string shown as a name. */
export function cleanName(schema: z.ZodString): z.ZodString {
  return schema.refine(isCleanName, UNCLEAN_NAME);
}
