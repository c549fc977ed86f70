import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { setSwitches } from "@/lib/operator/switches.ts";
import { testApp } from "../support/app.ts";
import { callTool } from "../support/mcp.ts";

Deno.test("every surface that says when a listing shows says what is true under review", async () => {
  await using app = await testApp();
  const said = async () => {
    const read = async (path: string) => await (await app.request(path)).text();
    const { content } = await callTool(app, "where_to_promote", {});
    const texts = {
      "/index.md": await read("/index.md"),
      "/submit": await read("/submit"),
      "/submit.md": await read("/submit.md"),
      "/about.md": await read("/about.md"),
      "/api/v1/help": (await app.json("/api/v1/help")).body.brief.ownerBenefits.join("\n"),
      "where_to_promote": content[0].text,
    };
    return Object.entries(texts);
  };
  for (const [surface, text] of await said()) assertStringIncludes(text, "live at once", surface);
  await setSwitches(app.deps.store, { review: true });
  app.clock.advance(1_000);
  for (const [surface, text] of await said()) {
    assert(!text.includes("live at once"), surface);
    assertStringIncludes(
      text.replaceAll(/\s+/g, " "),
      "once the operator has approved it",
      surface,
    );
  }
});

Deno.test("who lists a project is given its badge once it is listed, not while it waits for review", async () => {
  await using app = await testApp();
  for (const [review, badges] of [[false, 2], [true, 0]] as const) {
    await setSwitches(app.deps.store, { review });
    app.clock.advance(1_000);
    const body = new URLSearchParams({
      name: "Inkwell",
      url: `https://inkwell${badges}.dev`,
      tagline: "A notebook that answers back",
    });
    const response = await app.request("/submit", {
      method: "POST",
      body,
      headers: { accept: "text/html" },
    });
    assertEquals(response.status, 201);
    assertEquals((await response.text()).match(/badge\.svg/g)?.length ?? 0, badges);
  }
});

Deno.test("the submit page is shown while storage cannot tell whether review is on", async () => {
  await using app = await testApp();
  app.deps.store.get = () => Promise.reject(new Error("away"));
  const response = await app.request("/submit");
  assertEquals(response.status, 200);
  assertStringIncludes(await response.text(), "Only the first three fields are needed");
});

Deno.test("help is answered while storage hangs, though it says when a listing shows", async () => {
  await using app = await testApp();
  app.deps.store.get = () => new Promise(() => {});
  const { status, body } = await app.json("/api/v1/help");
  assertEquals(status, 200);
  assertStringIncludes(body.brief.ownerBenefits[0], "live at once");
});
