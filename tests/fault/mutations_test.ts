import { assert, assertEquals } from "@std/assert";
import { mutations } from "./mutations.ts";

const root = new URL("../../", import.meta.url);

Deno.test("each planted bug's code occurs exactly once", async () => {
  assert(mutations.length >= 30);
  for (const { what, file, find, replace } of mutations) {
    const text = await Deno.readTextFile(new URL(file, root));
    assertEquals(text.split(find).length, 2, `${what}: ${file}`);
    assert(find !== replace);
  }
});

Deno.test({
  name: "each planted bug is caught by a test",
  ignore: Deno.env.get("SOAK") !== "1",
  async fn() {
    const folder = await Deno.makeTempDir();
    const survivors: string[] = [];
    try {
      // Modifies a copy, never the tree that others use.
      const copy = await new Deno.Command("cp", {
        args: ["-r", ".", folder],
        cwd: root,
      }).output();
      assert(copy.success);
      const pass = async (tests: readonly string[]) => {
        const { success } = await new Deno.Command(Deno.execPath(), {
          args: ["test", "--quiet", "--allow-all", "--no-check", "--fail-fast", ...tests],
          cwd: folder,
          env: { SOAK: "0", SEED: "1" },
          stdout: "null",
          stderr: "null",
        }).output();
        return success;
      };
      // A test that fails without the bug catches nothing.
      const sound = new Set<string>();
      for (const test of new Set(mutations.flatMap(({ tests }) => tests))) {
        if (await pass([test])) sound.add(test);
      }
      for (const { what, file, find, replace, tests } of mutations) {
        const unsound = tests.filter((test) => !sound.has(test));
        const path = `${folder}/${file}`;
        const text = await Deno.readTextFile(path);
        await Deno.writeTextFile(path, text.replace(find, () => replace));
        const survives = unsound.length > 0 || await pass(tests);
        await Deno.writeTextFile(path, text);
        const verdict = survives ? `SURVIVES (failing without it: ${unsound})` : "caught";
        // deno-lint-ignore no-console -- a run takes minutes
        console.log(`${verdict}: ${what}`);
        if (survives) survivors.push(what);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
    assertEquals(survivors, []);
  },
});
