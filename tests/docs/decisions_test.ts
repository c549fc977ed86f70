import { assert, assertEquals } from "@std/assert";

const folder = new URL("../../docs/decisions/", import.meta.url);

/** What fits on a screen. */
const LINES_MAX = 60;

const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
  .filter((name) => name !== "README.md");

Deno.test("every decision record has a context, a decision and consequences", async (t) => {
  for (const name of names) {
    await t.step(name, async () => {
      const text = await Deno.readTextFile(new URL(name, folder));
      assert(/^# \S/.test(text), "a record begins with its title");
      const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
      assertEquals(headings, ["Context", "Decision", "Consequences"]);
      const lines = text.trimEnd().split("\n").length;
      assert(lines <= LINES_MAX, `${lines} lines: measurements belong in docs/performance.md`);
    });
  }
});
