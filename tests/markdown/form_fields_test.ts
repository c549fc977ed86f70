import { assertEquals, assertMatch } from "@std/assert";
import { parseDocument } from "htmlparser2";
import { LIMITS } from "@/lib/limits.ts";
import { ListingInput } from "@/lib/listings/schema.ts";
import { formFields } from "@/lib/markdown/form_fields.ts";
import { isElement } from "@/lib/markdown/html_tree.ts";
import { PromoteInput } from "@/lib/promotions/schema.ts";
import { SkillInput } from "@/lib/skills/schema.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { paidApp } from "../support/payments.ts";

/** What a form page's twin says: the URL that the form posts to, and a line for each field. */
async function readForm(app: TestApp, path: string) {
  const text = await app.text(path);
  const target = /The form sends `POST http:\/\/projectory\.test([^`]+)` with these fields:/.exec(
    text,
  )![1]!;
  const lines = [...text.matchAll(/^- `(\w+)`(?:, (required|optional))?: (.+)$/gm)];
  const fields = new Map(lines.map(([, name, need, rest]) => [name!, { need, rest: rest! }]));
  return { target, fields };
}

/** The fields that a schema requires, according to its problems with an empty body. */
function neededBy(schema: { safeParse(value: unknown): { error?: { issues: unknown[] } } }) {
  const issues = schema.safeParse({}).error!.issues as { path: PropertyKey[] }[];
  return new Set(issues.map(({ path }) => String(path[0])));
}

Deno.test("formFields describes every kind of field and skips hidden, read-only and unnamed ones", () => {
  const form = parseDocument(`<form>
    <input type="hidden" name="token"><input name="slug" readonly><input id="unnamed"><button name="go">Go</button>
    <label for="a">Na*me*</label><input id="a" name="a" required maxlength="60">
    <label for="b">Text <span class="optional">optional</span></label>
    <div><textarea id="b" name="b"></textarea><p id="b-hint">Up to [you]</p></div>
    <label for="c">Address</label><input id="c" name="c" type="url"><p id="c-hint">Whole.</p>
    <input id="d" name="d" inputmode="email">
    <fieldset><legend>Pick</legend>
      <label><input type="radio" name="e" value=""> None</label>
      <label><input type="radio" name="e" value="x-y" required> X Y</label>
      <label><input type="radio" name="e" value="z"> Zed*</label>
    </fieldset>
    <label for="f">Kind</label>
    <select id="f" name="f"><option value="">Any</option><option value="g">Games</option></select>
    <fieldset><legend>Tools</legend>
      <label><input type="checkbox" name="g" value="h"> Of   <b>wood</b> </label>
    </fieldset>
  </form>`).children.find(isElement)!;
  assertEquals(formFields(form), [
    "- `a`, required: Na\\*me\\*. Text, up to 60 characters.",
    "- `b`, optional: Text. Multiline text. Up to \\[you\\].",
    "- `c`: Address. An absolute URL. Whole.",
    "- `d`: d. An email address.",
    "- `e`, required: Pick. One of `x-y`, `z` (Zed\\*).",
    "- `f`: Kind. Send `g` (Games).",
    "- `g`: Tools. Send `h` (Of wood).",
  ]);
});

Deno.test("formFields adds a choice's label if its value differs", () => {
  const form = parseDocument(`<form><select name="a"><optgroup label="A">
    <option value="site-map-v2">Site MAP v2</option><option value="seo">S-E-O</option>
    <option value="g2">G3</option><option value="none">–</option>
  </optgroup></select><input type="password" name="b"></form>`).children.find(isElement)!;
  assertEquals(formFields(form), [
    "- `a`: a. One of `site-map-v2`, `seo`, `g2` (G3), `none`.",
    "- `b`: b. A secret.",
  ]);
});

Deno.test("formFields ends hints with punctuation and ignores SVG in labels", () => {
  const hints = ["Whose?", "Go!", "New. Or old"];
  const fields = hints.map((hint, i) =>
    `<label for="${i}">A <svg>x</svg></label><input id="${i}" name="${i}"><p id="${i}-hint">${hint}</p>`
  );
  const form = parseDocument(`<form>${fields.join("")}</form>`).children.find(isElement)!;
  assertEquals(
    formFields(form),
    ["Whose?", "Go!", "New. Or old."].map((hint, i) => `- \`${i}\`: A. Text. ${hint}`),
  );
});

const FORMS = [
  ["/submit.md", "/submit", ListingInput],
  ["/skills/submit.md", "/skills/submit", SkillInput],
  ["/promote.md", "/promote", PromoteInput],
] as const;

for (const [twin, target, schema] of FORMS) {
  Deno.test(`${twin} lists every field of its form and marks those that the schema requires`, async () => {
    await using app = await paidApp();
    const form = await readForm(app, twin);
    assertEquals(form.target, target);
    // The key is hidden, and a site without a fetcher doesn't ask for a webhook URL.
    const typed = Object.keys(schema.shape)
      .filter((name) => !["editKey", "notifyUrl"].includes(name));
    assertEquals([...form.fields.keys()].sort(), typed.sort());
    const needed = [...form.fields].filter(([, { need }]) => need === "required");
    assertEquals(new Set(needed.map(([name]) => name)), neededBy(schema));
  });
}

Deno.test("a form's Markdown twin gives each field's limits and allowed values", async () => {
  await using app = await testApp();
  const { fields } = await readForm(app, "/submit.md");
  assertMatch(fields.get("name")!.rest, new RegExp(`up to ${LIMITS.nameMax} characters`));
  assertMatch(fields.get("url")!.rest, new RegExp(`URL, up to ${LIMITS.urlMax} characters`));
  assertMatch(fields.get("category")!.rest, /One of `saas`, `ai-agent` \(AI agents\), /);
  assertMatch(fields.get("builtWith")!.rest, /Any of `claude`, .*Up to 6\.$/);
  assertMatch(fields.get("accent")!.rest, /`#00CBEA` \(Lagoon\)/);
});

Deno.test("a submission filled in as the Markdown twin describes is accepted", async () => {
  await using app = await testApp();
  const { target, fields } = await readForm(app, "/submit.md");
  const form = [...fields].map(([name, { rest }]): [string, string] => {
    const choice = /(?:One of|Any of|Send) `([^`]+)`/.exec(rest)?.[1];
    if (choice !== undefined) return [name, choice];
    if (rest.includes("absolute URL")) return [name, `https://${name.toLowerCase()}.example.org`];
    if (rest.includes("email address")) return [name, "maker@example.org"];
    const most = Number(/up to (\d+) characters/.exec(rest)?.[1] ?? 10);
    return [name, "a".repeat(most)];
  });
  const response = await app.request(target, { form });
  assertEquals(response.status, 201);
});
