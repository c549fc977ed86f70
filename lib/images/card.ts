import { escapeXml } from "../text/escape.ts";

/** The content of a page's preview picture. All of it is drawn as text, never as markup. */
export interface Card {
  /** Small words above the title. */
  kicker: string;
  title: string;
  /** A sentence or two below the title. */
  text: string;
  /** Small words at the foot. */
  footer: string;
  /** #RRGGBB of the bar at the left; the site's own color if there is none. */
  accent?: string | null;
}

/** The size that link previews ask for. */
const CARD_SIZE = { width: 1200, height: 630 } as const;

/** The site's own color. */
const IRIS = "#684CFF";

const LEFT = 96;
const WIDTH = 1010;
/**
 * The width in em of the widest character of each kind that the typeface has. Other characters have
 * `OTHER_EM`.
 */
const WIDTHS: readonly (readonly [kind: RegExp, em: number])[] = [
  [/[MWŴHĦÆŒ@%©½¼¾mwŵœŉ\u2014\u2026\u2122]/, 1.07],
  [/[ijlftrI !"'(),\-./:;[\]{|}\u2018\u2019]/, 0.42],
  [/\p{Lu}|&/u, 0.8],
];
const OTHER_EM = 0.63;
/** The characters that the typeface can draw: Latin with accents, digits and common punctuation. */
const DRAWABLE = /^[\x20-\x7e\u00a0-\u017f\u2010-\u2026\u20ac\u2122]*$/;

/**
 * Whether the typeface has every character of a text. Characters of other scripts would be empty
 * boxes.
 */
export function isDrawable(text: string): boolean {
  return DRAWABLE.test(text);
}

/** Draws a card as SVG, 1200 by 630. Text that is too long ends in an ellipsis. */
export function cardSvg({ kicker, title, text, footer, accent }: Card): string {
  const titleSize = wrap(title, { size: 84, lines: 3 }).length > 2 ? 64 : 84;
  const titleLines = wrap(title, { size: titleSize, lines: 2 });
  const top = 110 + titleSize;
  const textTop = top + (titleLines.length - 1) * titleSize * 1.1 + 80;
  const parts = [
    line(kicker, { x: LEFT, y: 92, size: 30, fill: "#6b675e" }),
    ...titleLines.map((words, i) =>
      line(words, { x: LEFT, y: top + i * titleSize * 1.1, size: titleSize, fill: "#1d1b17" })
    ),
    ...wrap(text, { size: 38, lines: 3 }).map((words, i) =>
      line(words, { x: LEFT, y: textTop + i * 52, size: 38, fill: "#4a463e" })
    ),
    ...wrap(footer, { size: 30, lines: 1 }).map((words) =>
      line(words, { x: LEFT, y: 572, size: 30, fill: "#6b675e" })
    ),
  ];
  const { width, height } = CARD_SIZE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="${width}" height="${height}" fill="#fbfaf5"/>` +
    `<rect width="24" height="${height}" fill="${accent ?? IRIS}"/>` +
    `<rect x="${LEFT}" y="516" width="${WIDTH}" height="1" fill="#cfcabd"/>` +
    `${parts.join("")}</svg>`;
}

function line(
  text: string,
  { x, y, size, fill }: { x: number; y: number; size: number; fill: string },
): string {
  return `<text x="${x}" y="${y}" font-family="Newsreader" font-weight="500" ` +
    `font-size="${size}" fill="${fill}">${escapeXml(text)}</text>`;
}

/** Breaks a text into lines that fit the card's width; a word longer than a line is broken. */
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

/** How many characters of a text fit a line. */
function fitting(text: string, size: number): number {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    width += size * (WIDTHS.find(([kind]) => kind.test(text[i]!))?.[1] ?? OTHER_EM);
    if (width > WIDTH) return i;
  }
  return text.length;
}
