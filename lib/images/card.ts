import { siteOf } from "../text/addresses.ts";
import { escapeXml } from "../text/escape.ts";

/** The content of a page's preview image. All of it is drawn as text, never as markup. */
export interface Card {
  /** Small text above the title. */
  kicker: string;
  title: string;
  /** A sentence or two below the title. */
  text: string;
  /** Small text at the bottom. */
  footer: string;
  /** The #RRGGBB color of the bar on the left; the site's own color if absent. */
  accent?: string | null;
}

/** The size that link previews expect. */
const CARD_SIZE = { width: 1200, height: 630 } as const;

/** The site's own color. */
const IRIS = "#684CFF";

const LEFT = 96;
const WIDTH = 1010;
/**
 * The width in em of the fonts' widest character of each kind. Other characters have `OTHER_EM`.
 */
const WIDTHS: readonly (readonly [kind: RegExp, em: number])[] = [
  [/[MWŴHĦÆŒ@%©½¼¾mwŵœŉ\u2014\u2026\u2122ЉЊЋЖМФШЩЫЮжмфшщыюљњΜΦΨφψω]/, 1.1],
  [/[ijlftrI !"'(),\-./:;[\]{|}\u2018\u2019]/, 0.42],
  [/\p{Lu}|&/u, 0.88],
  [/[\u0370-\u06ff\u1f00-\u1fff]/, 0.75],
];
const OTHER_EM = 0.63;

/**
 * A card's fonts and the characters each has, in order of preference. A line uses only one of them:
 * when mixing fonts, resvg draws some letters as empty boxes.
 */
const FACES: readonly { family: string; has: RegExp }[] = [
  {
    family: "Newsreader",
    has:
      /[ -~\xa0-\u0131\u0134-\u0148\u014a-\u017e\u018f\u0192\u01a0\u01a1\u01af\u01b0\u01e6\u01e7\u01fa-\u021b\u0259\u0300-\u0304\u0323\u1e80-\u1e85\u1e9e\u1ea0-\u1ef9\u2010\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2039\u203a\u20a9\u20ab-\u20ad\u20b9\u20ba\u20bd\u2116\u2122\u2212]/,
  },
  {
    // Extended Latin, Greek and Cyrillic.
    family: "Noto Serif",
    has:
      /[ -~\xa0-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03e1\u03f0-\u052f\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fc4\u1fc6-\u1fd3\u1fd6-\u1fdb\u1fdd-\u1fef\u1ff2-\u1ff4\u1ff6-\u1ffe\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2100-\u215f\u2212]/,
  },
  {
    family: "Noto Naskh Arabic",
    has:
      /[ -~\xa0\xab\xb0\xb7\xbb\xbf-\u0107\u0600-\u06ff\u0750-\u077f\u2010\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039\u203a\u20ac\u2122\u2212]/,
  },
];

/** The text's characters that a font has. */
function known(text: string, { has }: typeof FACES[number]): string {
  return [...text].filter((character) => has.test(character)).join("");
}

/** The font that covers most of the text. */
function faceOf(text: string): typeof FACES[number] {
  return FACES.reduce((best, face) =>
    known(text, face).length > known(text, best).length ? face : best
  );
}

/**
 * The part of the text that a card can draw: no emoji, arrows or letters of other scripts. Empty if
 * no letter or digit is left.
 */
export function drawable(text: string): string {
  const composed = text.normalize("NFC");
  const shown = known(composed, faceOf(composed)).replaceAll(/\s+/g, " ").trim();
  return /[\p{L}\p{N}]/u.test(shown) ? shown : "";
}

/** Where a project lives, as on pages, or its host in Punycode if the card lacks its letters. */
export function drawableSite(url: string): string {
  const site = siteOf(url);
  return drawable(site) === site ? site : new URL(url).hostname;
}

/**
 * Draws a card as SVG, 1200 by 630. Text that is too long ends in an ellipsis, and characters
 * missing from the fonts are left out.
 */
export function cardSvg(card: Card): string {
  const [kicker, title, text, footer] = [card.kicker, card.title, card.text, card.footer]
    .map(drawable) as [string, string, string, string];
  const titleSize = wrap(title, { size: 84, lines: 3 }).length > 2 ? 64 : 84;
  const titleLines = wrap(title, { size: titleSize, lines: 2 });
  const top = 110 + titleSize;
  const textTop = top + (titleLines.length - 1) * titleSize * 1.1 + 80;
  const parts = [
    line(kicker, { y: 92, size: 30, fill: "#6b675e" }),
    ...titleLines.map((words, i) =>
      line(words, { y: top + i * titleSize * 1.1, size: titleSize, fill: "#1d1b17" })
    ),
    ...wrap(text, { size: 38, lines: 3 }).map((words, i) =>
      line(words, { y: textTop + i * 52, size: 38, fill: "#4a463e" })
    ),
    ...wrap(footer, { size: 30, lines: 1 }).map((words) =>
      line(words, { y: 572, size: 30, fill: "#6b675e" })
    ),
  ];
  const { width, height } = CARD_SIZE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="${width}" height="${height}" fill="#fbfaf5"/>` +
    `<rect width="24" height="${height}" fill="${card.accent ?? IRIS}"/>` +
    `<rect x="${LEFT}" y="516" width="${WIDTH}" height="1" fill="#cfcabd"/>` +
    `${parts.join("")}</svg>`;
}

function line(
  text: string,
  { y, size, fill }: { y: number; size: number; fill: string },
): string {
  return `<text x="${LEFT}" y="${y}" font-family="${faceOf(text).family}" font-weight="500" ` +
    `font-size="${size}" fill="${fill}">${escapeXml(text)}</text>`;
}

/** Wraps text to the card's width, breaking words that are longer than a line. */
function wrap(text: string, { size, lines }: { size: number; lines: number }): string[] {
  const result: string[] = [];
  let rest = text.replaceAll(/\s+/g, " ").trim();
  while (rest !== "" && result.length < lines) {
    const most = fitting(rest, size);
    const space = most < rest.length ? rest.lastIndexOf(" ", most) : -1;
    const cut = space > most / 2 ? space : most;
    result.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  const last = result.at(-1);
  if (rest !== "" && last !== undefined) {
    result[result.length - 1] = last.slice(0, fitting(`…${last}`, size) - 1).trimEnd() + "…";
  }
  return result;
}

/** How many characters of the text fit on a line. */
function fitting(text: string, size: number): number {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    width += size * (WIDTHS.find(([kind]) => kind.test(text[i]!))?.[1] ?? OTHER_EM);
    if (width > WIDTH) return i;
  }
  return text.length;
}
