/** One accent color of a listing: the published hex (uppercase #RRGGBB) and its name. */
interface Accent {
  readonly name: string;
  readonly hex: string;
}

const catalogue = {
  "Lagoon": "#00CBEA",
  "Iris": "#684CFF",
  "Lime": "#C6FF3D",
  "Ember": "#FF5A1F",
  "Amber": "#FFB000",
  "Sky": "#3DDCFF",
  "Cobalt": "#3D6BFF",
  "Violet": "#9B6BFF",
  "Mint": "#3DFFB0",
  "Scarlet": "#E5243B",
  "Cream": "#F2E8CF",
} as const;

/** The name of an accent. */
export type AccentName = keyof typeof catalogue;

/** The accents of the contract's catalog, in its order. */
export const accents: readonly Accent[] = Object.freeze(
  Object.entries(catalogue).map(([name, hex]) => Object.freeze({ name, hex })),
);

const byText = new Map(
  accents.flatMap((accent) => [[accent.hex.toLowerCase(), accent], [
    accent.name.toLowerCase(),
    accent,
  ]]),
);

/** The accent with the hex or name in `text`, in any case; undefined if there is none. */
export function parseAccent(text: string): Accent | undefined {
  return byText.get(text.trim().toLowerCase());
}
