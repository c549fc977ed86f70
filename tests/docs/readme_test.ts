import { assertEquals } from "@std/assert";
import { SETTING_NAMES } from "@/lib/env.ts";

const root = new URL("../../", import.meta.url);
const readme = await Deno.readTextFile(new URL("README.md", root));

Deno.test("the README names every setting", () => {
  // Deno Deploy sets these itself, so an operator doesn't.
  const isInternal = (name: string) => /^DENO_(DEPLOY|TIMELINE)/.test(name);
  const missing = SETTING_NAMES.filter((name) =>
    !isInternal(name) && !readme.includes(`\`${name}\``)
  );
  assertEquals(missing, []);
});

Deno.test("the README's curl tour works as written", async () => {
  const { testApp } = await import("../support/app.ts");
  await using app = await testApp();
  const tour = /```sh\n(# list a project[\s\S]*?)```/.exec(readme)![1]!;
  const commands = tour.replaceAll("\\\n", " ").split(/\n(?=curl )/).filter((c) =>
    c.includes("curl")
  );
  assertEquals(commands.length, 8);
  let editKey = "";
  for (const command of commands) {
    const url = /localhost:8000([^\s']*)/.exec(command)![1]!;
    const method = /-X (\w+)/.exec(command)?.[1];
    const body = /-d '([\s\S]*?)'/.exec(command)?.[1];
    const headers = Object.fromEntries(
      [...command.matchAll(/-H '([\w-]+): ([^']*)'/g)].map(([, name, value]) => [name!, value!]),
    );
    if (headers["x-edit-key"]) headers["x-edit-key"] = editKey;
    const response = await app.request(url, {
      method: method ?? (body ? "POST" : "GET"),
      headers,
      body,
    });
    const text = await response.text();
    const expected = url.includes("dryRun") ? 400 : body && !method ? 201 : 200;
    assertEquals(response.status, expected, `${command}\n${text}`);
    if (expected === 201) editKey = JSON.parse(text).editKey;
  }
});
