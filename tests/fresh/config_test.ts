import { assertEquals } from "@std/assert";
import { freshConfig } from "./config.ts";

Deno.test("deno.fresh.json matches deno.json with Fresh's own imports", async () => {
  const read = async (name: string) =>
    JSON.parse(await Deno.readTextFile(new URL(`../../${name}`, import.meta.url)));
  assertEquals(
    await read("deno.fresh.json"),
    freshConfig(await read("deno.json")),
    "run: deno run -RW tests/fresh/config.ts",
  );
});
