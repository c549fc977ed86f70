import { parse } from "tldts";

const HTML_TAG = /<[a-z/!?][^<>]*>?/gi;
const MARKDOWN_LINK = /!?\[([^\[\]]*)\]\(([^()]*)\)?/g;
const BRACKET_TAG = /\[\/?[a-z]+(?:=[^\[\]\s]*)?\]/gi;
const MARKS = /[`*\[\]]|~~|__/g;
const LINE_MARK = /^(?:[#>]+\s+|[-+]\s+)+/;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.|mailto:|javascript:|data:)/i;
const OPENING = "(\"'<{";
const CLOSING = ")\"'>},.;:!?";
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
 * One line of text without links and markup: HTML and BBCode tags, Markdown links (their text stays) and
 * emphasis marks, web and mail addresses, bare host names. Text without any of these comes out as it went in.
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
  return text.replace(MARKDOWN_LINK, "$1").replace(BRACKET_TAG, "").replace(HTML_TAG, "")
    .replace(MARKS, "").replace(LINE_MARK, "");
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
