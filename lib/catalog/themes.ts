import { z } from "zod";

/** The purpose of each color of a theme, in the order of the contract. */
export const colorPurposes = Object.freeze({
  bg: "Page",
  bg2: "Panels",
  bg3: "Fields and bars",
  ink: "Text",
  inkDim: "Secondary text",
  inkFaint: "Faint text",
  line: "Lines",
  lineStrong: "Borders",
  accent: "Links and buttons",
  accentInk: "Text on accent",
  hot: "Highlights and errors",
  ok: "Success",
});

/** The colors of a theme, in the order of the contract. */
export const themeColors = Object.keys(colorPurposes) as ThemeColor[];

/** Name of a theme's color. */
export type ThemeColor = keyof typeof colorPurposes;

/** A #RRGGBB for each color of a theme. */
export type Palette = Readonly<Record<ThemeColor, string>>;

const index: Palette = {
  bg: "#FBFAF6",
  bg2: "#F4F3EE",
  bg3: "#ECEBE5",
  ink: "#292520",
  inkDim: "#585249",
  inkFaint: "#6D675F",
  line: "#DBD9D3",
  lineStrong: "#AEACA6",
  accent: "#1954C7",
  accentInk: "#FEFDFA",
  hot: "#C42D1A",
  ok: "#0D7744",
};

/**
 * `daily` follows the AI of the Day; its palette here shows while there is none. Each theme follows
 * the rules of theme proposals, and its text colors (ink, inkDim, inkFaint, accent, hot, ok) reach
 * 4.5:1 on bg, bg2 and bg3.
 */
const rows = {
  daily: ["AI of the Day", index],
  index: ["Index", index],
  ivory: ["Ivory", {
    bg: "#F9F3E3",
    bg2: "#F2EBDA",
    bg3: "#EAE2CF",
    ink: "#372A21",
    inkDim: "#5C4B3F",
    inkFaint: "#706054",
    line: "#DAD2BC",
    lineStrong: "#AFA68E",
    accent: "#9A4018",
    accentInk: "#FEFDFA",
    hot: "#B53224",
    ok: "#376E3B",
  }],
  phosphor: ["Phosphor", {
    bg: "#09110A",
    bg2: "#0E1710",
    bg3: "#151F17",
    ink: "#9BE1A5",
    inkDim: "#67B273",
    inkFaint: "#51955D",
    line: "#212E24",
    lineStrong: "#445346",
    accent: "#2CE54C",
    accentInk: "#061008",
    hot: "#F09A00",
    ok: "#00C2AB",
  }],
  paper: ["Paper", {
    bg: "#FFFEFE",
    bg2: "#F8F8F7",
    bg3: "#F1F0EF",
    ink: "#1E1E1E",
    inkDim: "#585656",
    inkFaint: "#6E6A6B",
    line: "#DEDDDC",
    lineStrong: "#B1B0AF",
    accent: "#C21A1E",
    accentInk: "#FEFDFA",
    hot: "#B54900",
    ok: "#22763D",
  }],
  amber: ["Amber", {
    bg: "#170E06",
    bg2: "#1F150B",
    bg3: "#281C11",
    ink: "#EACE99",
    inkDim: "#BEA067",
    inkFaint: "#9F8451",
    line: "#37291C",
    lineStrong: "#5F4D3D",
    accent: "#FDB01B",
    accentInk: "#150B03",
    hot: "#FD6C33",
    ok: "#7DB85A",
  }],
  tide: ["Tide", {
    bg: "#051827",
    bg2: "#091F31",
    bg3: "#0E283C",
    ink: "#C9DAE0",
    inkDim: "#9BAFB7",
    inkFaint: "#809299",
    line: "#17354D",
    lineStrong: "#385C7A",
    accent: "#2CD7E7",
    accentInk: "#020E1B",
    hot: "#F69347",
    ok: "#41CE8F",
  }],
  chalk: ["Chalk", {
    bg: "#192620",
    bg2: "#1F2E27",
    bg3: "#25372F",
    ink: "#D8D9D0",
    inkDim: "#BCBDB1",
    inkFaint: "#9E9E93",
    line: "#32463D",
    lineStrong: "#556E62",
    accent: "#E7D473",
    accentInk: "#03110A",
    hot: "#F6946D",
    ok: "#76CF8A",
  }],
} satisfies Record<string, readonly [name: string, palette: Palette]>;

/** Ids of the site themes. */
export const siteThemeId = z.enum(Object.keys(rows) as (keyof typeof rows)[]);

/** Id of a site theme. */
export type SiteThemeId = z.infer<typeof siteThemeId>;

/** The site themes, in the order of {@link siteThemeId}. */
export const siteThemes = Object.freeze(siteThemeId.options.map((id) => {
  const [name, palette] = rows[id];
  return Object.freeze({ id, name, palette: Object.freeze(palette) });
}));
