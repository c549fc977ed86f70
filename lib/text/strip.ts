import { parse } from "tldts";

const HTML_TAG = /<[a-z/!?][^<>]*>?/gi;
const MARKDOWN_LINK = /!?\[([^\[\]]*)\]\(([^()]*)\)?/g;
const UNEVEN_LINK = /\](?=\()/g;
const BRACKET_TAG = /\[(\/?)([a-z][a-z0-9]*)([\s=][^\[\]]*)?\]/gi;
/** A run of marks; a punctuation mark behind a backslash is none, but for a backtick, which may close code there. */
const MARKS = /\\[!-/:-@[-_{-~]|`+|\*+|_+|~+/g;
/** The fence of a code block, which needs no second one. */
const FENCE = /`{3,}|~{3,}/g;
const BLANK = /[\p{Zs}\t\n\f\r]/u;
const WORD = /[\p{L}\p{N}]/u;
const LINE_MARK = /^(?:[#>]+\s+|[-+*]\s+)+/;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.|mailto:|javascript:|data:)/i;
const OPENING = "(\"'<{[*_~`";
const CLOSING = ")\"'>}]*_~`,.;:!?";
const SPACES = /\s+/;

/** Endings of host names that are read as links even without a path; the others also end plain sentences. */
const LINK_ENDINGS = new Set(
  ("ai app biz click club co com dev gg info io link live me net online org ru sh shop site store tech tk top xyz")
    .split(" "),
);

/** Names of makers and techniques that are written as a host is; alone, they are names. */
const NAMES_LIKE_HOSTS = new Set(
  ("01.ai asp.net c.ai cal.com character.ai copy.ai draw.io fal.ai fast.ai h2o.ai jasper.ai make.com ml.net " +
    "monday.com n8n.io pi.ai socket.io v0.dev vb.net writer.com x.ai you.com z.ai").split(" "),
);

/** What is markup in a name besides tags and links: emphasis, code, and BBCode that closes or has a value. */
const NAME_MARKUP = /`|\*\*|~~|(?<!\w)__(?=\S)|\*\S[^*]*\*|\[\/[a-z]+\]|\[[a-z]+=/i;

/** Whether a name holds a link or markup. Marks that make neither stay: `dependabot[bot]`, `my__agent`. */
export function hasLinkOrMarkup(name: string): boolean {
  return [HTML_TAG, MARKDOWN_LINK, NAME_MARKUP, LINE_MARK].some((mark) => name.search(mark) >= 0) ||
    name.split(SPACES).some(isLink);
}

/**
 * One line of text without links and markup: HTML and BBCode tags, Markdown links (their text stays), pairs of
 * emphasis and code marks, web and mail addresses, bare host names. Text without any of these comes out as it
 * went in, but for its spaces: marks that make no pair are text.
 */
export function stripLinksAndMarkup(text: string): string {
  let stripped = text;
  for (let before = ""; before !== stripped;) {
    before = stripped;
    stripped = withoutMarkup(stripped).split(SPACES).filter((word) => !isLink(word)).join(" ")
      .trim();
  }
  return stripped;
}

function withoutMarkup(text: string): string {
  const withoutLinks = text.replace(MARKDOWN_LINK, "$1").replace(UNEVEN_LINK, "");
  return withoutPairs(withoutBracketTags(withoutLinks).replace(HTML_TAG, "").replace(FENCE, ""))
    .replace(LINE_MARK, "");
}

/** Takes out tags of BBCode that are opened and closed, or have a value: `[i]` alone is an index. */
function withoutBracketTags(text: string): string {
  const opened = new Set<string>();
  const closed = new Set<string>();
  for (const [, slash, name] of text.matchAll(BRACKET_TAG)) {
    (slash ? closed : opened).add(name!.toLowerCase());
  }
  return text.replace(BRACKET_TAG, (tag, _slash, name: string, rest: string | undefined) => {
    const key = name.toLowerCase();
    return rest?.startsWith("=") || (opened.has(key) && closed.has(key)) ? "" : tag;
  });
}

/**
 * Takes out runs of marks that an earlier one makes a pair with. What may open and close is more than CommonMark
 * lets (section 6.2, and Markdown's dialects differ), so that no pair of theirs stays.
 */
function withoutPairs(text: string): string {
  const openers = new Map<string, number[]>();
  const paired = new Set<number>();
  // As many backticks close code as opened it, but a backslash before them may make them one fewer.
  const countsTicks = !text.includes("\\`");
  for (const run of text.matchAll(MARKS)) {
    const [marks] = run;
    const mark = marks[0]!;
    if (mark === "\\") continue;
    const before = text[run.index - 1] ?? " ";
    const after = text[run.index + marks.length] ?? " ";
    const isCode = mark === "`";
    // An underscore within a word is part of it.
    const isInWord = (beside: string) => mark === "_" && WORD.test(beside);
    const kind = isCode && countsTicks ? marks : mark;
    const open = openers.get(kind) ?? [];
    openers.set(kind, open);
    const canClose = isCode || (!BLANK.test(before) && !isInWord(after));
    if (canClose && open.length > 0) {
      paired.add(open.pop()!).add(run.index);
    } else if (isCode || (!BLANK.test(after) && !isInWord(before))) {
      open.push(run.index);
    }
  }
  return text.replace(MARKS, (marks, at: number) => paired.has(at) ? "" : marks);
}

function isLink(word: string): boolean {
  // Browsers read the full stops of other scripts in an address as dots.
  const bare = withoutEdges(word).replace(/[\u3002\uFF0E\uFF61]/g, ".");
  if (ADDRESS.test(bare) || word.includes("://")) return true;
  if (!bare.includes(".") || NAMES_LIKE_HOSTS.has(bare.toLowerCase())) return false;
  const { domain, isIcann, publicSuffix } = parse(bare);
  if (!domain || !isIcann) return false;
  return bare.includes("/") || bare.includes("@") ||
    LINK_ENDINGS.has(publicSuffix!.split(".").at(-1)!);
}

/** A word without the punctuation at its edges, in one pass (an expression would be quadratic here). */
function withoutEdges(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && OPENING.includes(word[start]!)) start++;
  while (end > start && CLOSING.includes(word[end - 1]!)) end--;
  return word.slice(start, end);
}
