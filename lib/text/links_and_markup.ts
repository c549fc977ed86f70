import { parse } from "tldts";

const HTML_TAG = /<[a-z/!?][^<>]*>?/gi;
const MARKDOWN_LINK = /!?\[([^\[\]]*)\]\(([^()]*)\)?/g;
const UNEVEN_LINK = /\](?=\()/g;
const BRACKET_TAG = /\[(\/?)([a-z][a-z0-9]*)([\s=][^\[\]]*)?\]/gi;
/** A run of marks. A backslash escapes a mark, except a backtick, which can close code there. */
const MARKS = /\\[\\*_~]|`+|\*+|_+|~+/g;
/** A code block's fence, which needs no closing one. */
const FENCE = /`{3,}|~{3,}/g;
const BLANK = /\s/;
const WORD = /[\p{L}\p{N}]/u;
const LINE_MARK = /^(?:[#>]+\s+|[-+*]\s+)+/;
const ADDRESS = /^(?:www\.|mailto:|javascript:|data:)/i;
const OPENING = "(\"'<{[*_~`";
const CLOSING = ")\"'>}]*_~`,.;:!?";
const SPACES = /\s+/;

/**
 * Top-level domains that turn a bare host name into a link even without a path. Others also end
 * ordinary sentences, names or file names.
 */
const LINK_ENDINGS = new Set(
  ("ai app au biz br click club cn co com cz dev dk eu gg info io jp kr link live me net online org ru sh shop " +
    "site store tech tk top uk xyz рф").split(" "),
);

/** Characters never in a host: they separate one from the words around it. */
const BESIDE_HOST = /[^\p{L}\p{M}\p{N}.@%\/-]+|\.{2,}/u;

/** Companies and technologies spelled like hosts. Alone they are names, not links. */
const NAMES_LIKE_HOSTS = new Set(
  ("01.ai asp.net c.ai cal.com character.ai claude.ai copy.ai draw.io fal.ai fast.ai fireworks.ai " +
    "h2o.ai jasper.ai make.com mistral.ai ml.net monday.com n8n.io perplexity.ai pi.ai socket.io " +
    "stability.ai together.ai v0.dev vb.net writer.com x.ai you.com z.ai").split(" "),
);

/**
 * Markup in a name besides tags and links: emphasis, code, and BBCode that is closed or has a
 * value.
 */
const NAME_MARKUP = /`|\*\*|~~|(?<!\w)__(?=\S)|\*\S[^*]*\*|\[\/[a-z]+\]|\[[a-z]+=/i;

/**
 * True if a name contains a link or markup. Marks that form neither are allowed: `dependabot[bot]`,
 * `my__agent`.
 */
export function hasLinkOrMarkup(name: string): boolean {
  return [HTML_TAG, MARKDOWN_LINK, NAME_MARKUP, LINE_MARK].some((mark) => name.search(mark) >= 0) ||
    name.split(SPACES).some(hasLink);
}

/**
 * One line of text without links and markup. Removes HTML and BBCode tags, Markdown links (keeping
 * their text), pairs of emphasis and code marks, web and mail addresses, and bare host names. Other
 * text keeps everything but extra spaces: unpaired marks are text.
 */
export function stripLinksAndMarkup(text: string): string {
  let stripped = text;
  for (let before = ""; before !== stripped;) {
    before = stripped;
    stripped = withoutMarkup(stripped).split(SPACES).filter((word) => !hasLink(word)).join(" ")
      .trim();
  }
  return stripped;
}

function withoutMarkup(text: string): string {
  const withoutLinks = text.replace(MARKDOWN_LINK, "$1").replace(UNEVEN_LINK, "");
  return withoutPairs(withoutBracketTags(withoutLinks).replace(HTML_TAG, "").replace(FENCE, ""))
    .replace(LINE_MARK, "");
}

/** Removes BBCode tags that are opened and closed, or have a value. A lone `[i]` is an index. */
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
 * Removes pairs of mark runs. Matches more pairs than CommonMark (section 6.2), because Markdown
 * dialects differ and no pair in any of them may stay.
 */
function withoutPairs(text: string): string {
  const openers = new Map<string, number[]>();
  const paired = new Set<number>();
  // The same number of backticks closes code. A backslash before them may reduce them by one.
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

function hasLink(word: string): boolean {
  return isLink(word) || word.split(BESIDE_HOST).some(isLink);
}

function isLink(word: string): boolean {
  // Browsers read other scripts' full stops as dots in an address.
  const bare = withoutEdges(word).replace(/[\u3002\uFF0E\uFF61]/g, ".").toLowerCase();
  if (ADDRESS.test(bare) || word.includes("://")) return true;
  if (!bare.includes(".") || NAMES_LIKE_HOSTS.has(bare)) return false;
  const { domain, isIcann, publicSuffix } = parse(bare);
  if (!domain || !isIcann) return false;
  return bare.includes("/") || bare.includes("@") || bare.includes("xn--") ||
    LINK_ENDINGS.has(publicSuffix!.split(".").at(-1)!);
}

/**
 * A word without the punctuation around it. One pass, because a regular expression would take
 * quadratic time here.
 */
function withoutEdges(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && OPENING.includes(word[start]!)) start++;
  while (end > start && CLOSING.includes(word[end - 1]!)) end--;
  return word.slice(start, end);
}
