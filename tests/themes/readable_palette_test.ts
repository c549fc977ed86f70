import { assert, assertEquals } from "@std/assert";
import { wcagContrast } from "culori";
import fc from "fast-check";
import { familyThemes } from "@/lib/catalog/family_themes.ts";
import { type Palette, siteThemes, themeColors } from "@/lib/catalog/themes.ts";
import { isPink, paletteProblems } from "@/lib/themes/palette.ts";
import { readablePalette } from "@/lib/themes/readable_palette.ts";

Deno.test("readablePalette doesn't change curated themes", () => {
  for (const { palette } of [...siteThemes, ...Object.values(familyThemes)]) {
    assertEquals(readablePalette(palette), palette);
  }
});

Deno.test("readablePalette makes any valid proposal readable and keeps the rules", () => {
  const hex = fc.integer({ min: 0, max: 0xFFFFFF }).map((n) =>
    `#${n.toString(16).padStart(6, "0").toUpperCase()}`
  );
  // Readable pairs of background and ink, so that many random palettes pass the rules of proposals.
  const grounds = fc.constantFrom(
    ...["#FFFFFF", "#F4F1E8"].flatMap((bg) => ["#111111", "#1A1A00"].map((ink) => ({ bg, ink }))),
    ...["#0B0B10", "#00141A"].flatMap((bg) => ["#F5F5F5", "#E8FFF8"].map((ink) => ({ bg, ink }))),
  );
  const palettes = fc.tuple(
    fc.record(Object.fromEntries(themeColors.map((color) => [color, hex]))),
    grounds,
  ).map((parts) => Object.assign({}, ...parts) as Palette);
  let judged = 0;
  let changed = 0;
  fc.assert(
    fc.property(palettes, (palette) => {
      if (paletteProblems(palette).length > 0) return;
      judged++;
      const shown = readablePalette(palette);
      assertEquals(paletteProblems(shown), []);
      for (const ground of ["bg", "bg2", "bg3"] as const) {
        // Links in running text are marked only by their underline.
        assert(wcagContrast(shown.lineStrong, shown[ground]) >= 1.8, `lineStrong on ${ground}`);
        assert(wcagContrast(shown.line, shown[ground]) >= 1.1, `line on ${ground}`);
      }
      for (const text of ["ink", "inkDim", "inkFaint", "accent", "hot", "ok"] as const) {
        for (const ground of ["bg", "bg2", "bg3"] as const) {
          const ratio = wcagContrast(shown[text], shown[ground]);
          assert(ratio >= 4.5, `${text} on ${ground}: ${ratio}`);
        }
      }
      assert(wcagContrast(shown.accentInk, shown.accent) >= 4.5);
      for (const color of themeColors) assert(!isPink(shown[color]), color);
      assertEquals(readablePalette(shown), shown, "once is enough");
      if (JSON.stringify(shown) !== JSON.stringify(palette)) changed++;
    }),
    { numRuns: 30_000 },
  );
  assert(judged > 100 && changed > 50, `${judged} judged, ${changed} changed`);
});

Deno.test("readablePalette skips pinks between a color and the ink", () => {
  const palette = { ...siteThemes[0]!.palette, ink: "#4505D0", accent: "#D34301" };
  assertEquals(paletteProblems(palette), []);
  assertEquals(readablePalette(palette).accent, "#774697", "#A44C66 could be read, and is pink");
});
