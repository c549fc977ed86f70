import { assertEquals } from "@std/assert";
import { freshConfig } from "./config.ts";

Deno.test("deno.fresh.json is deno.json but for what the framework's names lead to", async () => {
  const read = async (name: string) =>
    JSON.parse(await Deno.readTextFile(new URL(`../../${name}`, import.meta.url)));
  assertEquals(
    await read("deno.fresh.json"),
    freshConfig(await read("deno.json")),
    "run: deno run -RW tests/fresh/config.ts",
  );
});
