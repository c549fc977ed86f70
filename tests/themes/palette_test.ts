import { assert, assertEquals, assertFalse, assertMatch, assertNotMatch } from "@std/assert";
import Color from "colorjs.io";
import { wcagContrast } from "culori";
import fc from "fast-check";
import { familyThemes } from "@/lib/catalog/family_themes.ts";
import { type Palette, siteThemes, themeColors } from "@/lib/catalog/themes.ts";
import {
  CONTRAST_RULES,
  hueOf,
  isPink,
  paletteProblems,
  proposedColor,
} from "@/lib/themes/palette.ts";
import { isDark, themeStylesheet } from "@/lib/themes/stylesheet.ts";
import { rounds } from "../support/runs.ts";

const all = [
  ...siteThemes.map((t) => ({ id: t.id as string, palette: t.palette })),
  ...Object.entries(familyThemes).map(([id, { palette }]) => ({ id, palette })),
];

for (const { id, palette } of all) {
  Deno.test(`theme ${id} passes the rules of theme proposals`, () => {
    assertEquals(paletteProblems(palette), []);
    for (const color of themeColors) assert(/^#[0-9A-F]{6}$/.test(palette[color]), color);
  });

  Deno.test(`theme ${id} keeps its text readable on bg, bg2 and bg3`, () => {
    for (const text of ["ink", "inkDim", "inkFaint", "accent", "hot", "ok"] as const) {
      for (const ground of ["bg", "bg2", "bg3"] as const) {
        const ratio = wcagContrast(palette[text], palette[ground]);
        assert(ratio >= 4.5, `${text} on ${ground}: ${ratio}`);
      }
    }
  });
}

Deno.test("site themes correctly say whether they are dark", () => {
  for (const { id, palette } of siteThemes) {
    assertEquals(isDark(palette), wcagContrast(palette.bg, "#FFFFFF") > 4.5, id);
  }
});

Deno.test("the daily theme follows the visitor's system, unless there is an AI of the Day", () => {
  const darkRule =
    /@media\(prefers-color-scheme:dark\)\{\[data-theme="daily"\]\{[^}]*color-scheme:dark\}\}/;
  assertMatch(themeStylesheet({ daily: null, font: "" }), darkRule);
  const daily = familyThemes.openai.palette;
  assertNotMatch(themeStylesheet({ daily, font: "" }), /prefers-color-scheme/);
});

Deno.test("a proposed color is #RRGGBB in any case and is stored in upper case", () => {
  assertEquals(proposedColor.parse("#a1B2c3"), "#A1B2C3");
  for (
    const wrong of ["", "#fff", "a1b2c3", "x#a1b2c3", "#a1b2c34", "#a1b2c3;", "#g1b2c3", "red"]
  ) {
    assertFalse(proposedColor.safeParse(wrong).success, wrong);
  }
});

Deno.test("isPink follows the design's examples", () => {
  const table: [string, boolean][] = [
    ["#FF00FF", true],
    ["#FF3366", true],
    ["#FFC0CB", true],
    ["#BA55D3", true],
    ["#E5243B", false],
    ["#DC143C", false],
    ["#FF5A1F", false],
    ["#684CFF", false],
    ["#9B6BFF", false],
    ["#808080", false],
    ["#000000", false],
    ["#FFFFFF", false],
  ];
  for (const [hex, pink] of table) assertEquals(isPink(hex), pink, hex);
});

Deno.test("paletteProblems lists each broken rule with its pair, ratio and required ratio", () => {
  const gray = Object.fromEntries(themeColors.map((c) => [c, "#777777"])) as Record<
    keyof Palette,
    string
  >;
  const problems = paletteProblems({ ...gray, hot: "#FF00FF", line: "#FFC0CB" });
  assertEquals(
    problems.map((p) =>
      p.rule === "contrast" ? [p.rule, p.pair, p.ratio, p.need] : [p.rule, p.pair]
    ),
    [
      ["contrast", "ink/bg", 1, 7],
      ["contrast", "inkDim/bg", 1, 4.5],
      ["contrast", "accent/bg", 1, 3],
      ["contrast", "accentInk/accent", 1, 4.5],
      ["contrast", "hot/bg", 1.42, 3],
      ["contrast", "ok/bg", 1, 3],
      ["hue", "line"],
      ["hue", "hot"],
    ],
  );
  for (const problem of problems) assert(problem.message.startsWith(problem.pair));
});

Deno.test("paletteProblems never rounds a ratio up to the one it misses", () => {
  // #767676 on white is 4.54:1, #777777 is 4.478:1.
  const palette = { ...siteThemes[1]!.palette, bg: "#FFFFFF", inkDim: "#777777" };
  const problem = paletteProblems(palette)[0]!;
  assertEquals(problem.rule === "contrast" && problem.ratio, 4.47);
});

Deno.test("ratios and the hue rule agree with an independent library on random palettes", () => {
  const hex = fc.integer({ min: 0, max: 0xFFFFFF }).map((n) =>
    `#${n.toString(16).padStart(6, "0").toUpperCase()}`
  );
  const palettes = fc.record(
    Object.fromEntries(themeColors.map((c) => [c, hex])),
  ) as unknown as fc.Arbitrary<Palette>;
  const runs = rounds(500, 10_000);
  let pinks = 0;
  let broken = 0;
  fc.assert(
    fc.property(palettes, (palette) => {
      const colors = Object.fromEntries(
        themeColors.map((c) => [c, new Color(palette[c])]),
      ) as Record<keyof Palette, Color>;
      const expected: string[] = [];
      for (const { foreground, background, need } of CONTRAST_RULES) {
        const theirs = colors[foreground].contrast(colors[background], "WCAG21");
        const ours = wcagContrast(palette[foreground], palette[background]);
        // The libraries round the luminance weights differently in the fifth decimal place.
        assert(Math.abs(theirs - ours) < 0.002 * theirs, `${theirs} and ${ours}`);
        const near = Math.abs(theirs - need) < 0.002 * need;
        if (near ? ours < need : theirs < need) expected.push(`${foreground}/${background}`);
      }
      for (const color of themeColors) {
        const lch = colors[color].to("oklch");
        const h = Number(lch.h) || 0;
        const ours = hueOf(palette[color]);
        assert(Math.abs(lch.c! - ours.chroma) < 0.001, `${lch.c} and ${ours.chroma}`);
        if (lch.c! > 0.01) {
          const apart = Math.abs(h - ours.hue) % 360;
          assert(Math.min(apart, 360 - apart) < 0.5, `${h} and ${ours.hue}`);
        }
        const near = [315, 18, 0, 360].some((edge) => Math.abs(h - edge) < 0.5) ||
          Math.abs(lch.c! - 0.05) < 0.001;
        const theirs = lch.c! >= 0.05 && (h >= 315 || h <= 18);
        if (near ? isPink(palette[color]) : theirs) expected.push(color);
        if (theirs) pinks++;
      }
      assertEquals(paletteProblems(palette).map((p) => p.pair), expected);
      if (expected.length > 0) broken++;
    }),
    { numRuns: runs },
  );
  assert(
    pinks > runs / 10 && broken > runs / 2,
    "the random palettes must reach both sides of the rules",
  );
});
