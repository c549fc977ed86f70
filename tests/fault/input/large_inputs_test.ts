import { assertEquals } from "@std/assert";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { z } from "zod";
import { SkillContent } from "@/components/SkillContent.tsx";
import { readForm } from "@/lib/http/body.ts";
import { parsePageQuery, slugOf } from "@/lib/http/forms.ts";
import { skillFacts } from "@/lib/skills/facts.ts";
import { skillFile } from "@/lib/skills/install.ts";
import { testApp } from "../../support/app.ts";
import { threadMs } from "../../support/quick.ts";

/** A linear pass takes a few milliseconds of processor time, a quadratic one seconds. */
const SLOW_MS = 500;

Deno.test("forms and queries with as many fields as allowed are parsed in linear time", async () => {
  const body = "a=1&".repeat(999);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const form = () => readForm(new Request("http://a.example", { method: "POST", headers, body }));
  assertEquals((await form()).a?.length, 999);
  assertEquals(await isSlow(form), false, "one name repeated");

  const names = Array.from({ length: 12_000 }, (_, i) => `${i.toString(36)}=`);
  const url = new URL(`http://a.example/?${names.join("&")}`);
  const query = () => parsePageQuery(z.object({ q: z.string().optional() }), url);
  assertEquals(query(), {});
  assertEquals(await isSlow(query), false, "one empty field after another");
});

Deno.test("JSON with many strings of the same hash is refused before it is parsed", async () => {
  await using app = await testApp();
  // V8's hash of an integer is its last bits.
  const strings = (start: number) =>
    Array.from({ length: 15_000 }, (_, i) => `${start + i * 65_536}`);
  let start = 0;
  for (
    const [path, body] of [
      ["/api/v1/skills", (params: object) => params],
      ["/api/mcp", (params: object) => ({ jsonrpc: "2.0", id: 1, method: "ping", params })],
    ] as const
  ) {
    const send = async () => {
      const { status } = await app.json(path, { json: body({ strings: strings(start++) }) });
      assertEquals(status, 400);
    };
    assertEquals(await isSlow(send, 50), false, path);
  }
});

Deno.test("a project's slug is found in its address in linear time", async () => {
  const slug = `${"/p/a".repeat(50_000)}/ x`;
  assertEquals(slugOf({ slug }), slug);
  assertEquals(await isSlow(() => slugOf({ slug })), false);
  assertEquals(slugOf({ slug: " https://a.example/p/tide?x=1 " }), "tide");
});

Deno.test("slow frontmatter is parsed only once for many requests", async () => {
  const skill = { slug: "slow", kind: "skill-md", summary: "Slow" } as const;
  const content = `---\n${"a: {".repeat(990)}\n---\nBody\n`;
  const file = skillFile(skill, content);
  assertEquals(file, `---\nname: slow\ndescription: "Slow"\n---\n\n${content}`);
  const ask = () => {
    for (let i = 0; i < 500; i++) skillFile(skill, content);
  };
  assertEquals(await isSlow(ask), false);
});

Deno.test("slow skill content is rendered only once for many requests", async () => {
  const skill = { kind: "skill-md", content: `${">".repeat(99)}\n${"a\n".repeat(9_900)}` } as const;
  const show = () => renderToString(h(SkillContent, { skill }));
  assertEquals(show().match(/ id="L\d+"/g)?.length, 9_901);
  const showOften = () => {
    for (let i = 0; i < 500; i++) show();
  };
  assertEquals(await isSlow(showOften), false);
});

Deno.test("the facts of 20,000 empty lines are computed quickly", async () => {
  const content = "\n".repeat(20_000);
  const read = () => {
    for (let i = 0; i < 50; i++) assertEquals(skillFacts(content, "").lines, 20_000);
  };
  assertEquals(await isSlow(read), false);
});

/** True if all three runs are slow, since the first one includes compilation. */
async function isSlow(read: () => unknown, slowMs = SLOW_MS): Promise<boolean> {
  for (let run = 0; run < 3; run++) {
    const before = threadMs();
    await read();
    if (threadMs() - before < slowMs) return false;
  }
  return true;
}
