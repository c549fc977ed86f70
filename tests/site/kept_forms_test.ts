import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { bodyFromForm } from "@/lib/http/forms.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { ListingInput, type StoredListing } from "@/lib/listings/schema.ts";
import { moveListing } from "@/lib/operator/listings.ts";
import { SkillInput } from "@/lib/skills/schema.ts";
import { setSwitches } from "@/lib/switches.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { closest, type Dom, type Element, heard, parsePage } from "../support/dom.ts";
import { failingKv } from "../support/kv_with.ts";
import { addressOf, submit } from "../support/listings.ts";
import { AUCTION_ID, paidApp } from "../support/payments.ts";
import { share } from "../support/skills.ts";

async function post(app: TestApp, path: string, fields: Record<string, string>, n = 0) {
  const response = await app.request(path, { form: fields, address: addressOf(900 + n) });
  return { response, text: await response.text() };
}

const alertsOf = (dom: Dom) => dom.all().filter(({ attribs }) => attribs.role === "alert");
const alertOf = (html: string) => heard(alertsOf(parsePage(html))[0]);

const fields = (n: number) => ({
  name: "Typed with care",
  url: `https://typed-${n}.example.com`,
  tagline: "Words that nobody wants to write twice",
});

Deno.test("a form that hits a limit or a pause keeps what was typed and says when to try again", async () => {
  await using app = await testApp();
  for (let n = 0; n < 5; n++) {
    const { response, text } = await post(app, "/submit", fields(n));
    assertEquals(response.status, 201);
    assertMatch(
      text,
      /To edit, paste it into <a href="\/p\/typed-with-care(-\d)?\/edit">the edit form<\/a>\.<\/p>/,
    );
    assertEquals(text.includes('name="theme"'), false, "a theme button would lose the key");
  }
  const limited = await post(app, "/submit", fields(5));
  assertEquals(limited.response.status, 429);
  assertEquals(limited.response.headers.get("retry-after"), "3600");
  assertEquals(limited.response.headers.get("cache-control"), "private, no-store");
  await setSwitches(app.deps.store, { submissionsPaused: true });
  const paused = await post(app, "/submit", fields(6), 1);
  assertEquals(paused.response.status, 503);
  assertStringIncludes(paused.text, "New submissions are paused");
  for (const { text } of [limited, paused]) {
    assertStringIncludes(text, 'value="Typed with care"');
    const dom = parsePage(text);
    const [alert] = alertsOf(dom);
    assertMatch(heard(alert), /^Nothing was saved\. What you typed is still here\. ?\w/);
    assertEquals(dom.all("a").filter((link) => closest(link, (part) => part === alert)), []);
  }
});

Deno.test("the edit form keeps what was typed after too many wrong keys", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const edit = () => post(app, `/p/${slug}/edit`, { editKey: "pik_wrong", ...fields(0) });
  for (let n = 0; n < 20; n++) assertEquals((await edit()).response.status, 403);
  const { response, text } = await edit();
  assertEquals(response.status, 429);
  assert(Number(response.headers.get("retry-after")) > 0);
  assertStringIncludes(text, 'value="Typed with care"');
  assertMatch(
    alertOf(text),
    /^Nothing was saved\. What you typed .*, except the edit key\. ?\w/,
  );
});

Deno.test("the billing form doesn't claim to have kept the edit key", async () => {
  await using app = await paidApp();
  const { project: { slug }, editKey } = await submit(app);
  const { response, text } = await post(app, `/p/${slug}/billing`, { editKey });
  assertEquals([response.status, text.includes(editKey)], [404, false]);
  assertMatch(
    alertOf(text),
    /^We couldn't open the billing portal\. To try again, enter the edit key\. ?This listing/,
  );
});

Deno.test("an edit form rejects empty required fields and clears optional ones", async () => {
  await using app = await testApp();
  const { project: { slug }, editKey } = await submit(app, { pricing: "free" });
  const edit = (typed: Record<string, string>) =>
    post(app, `/p/${slug}/edit`, { editKey, ...fields(0), ...typed });
  const { response, text } = await edit({ name: "", tagline: " " });
  assertEquals(response.status, 400);
  const problems = [...text.matchAll(/id="(\w+)-problem">([^<]*)</g)].map((found) =>
    found.slice(1)
  );
  assertEquals(problems, [["name", "Enter a name"], ["tagline", "Enter a tagline"]]);
  assertEquals((await edit({ pricing: "" })).response.status, 303);
  const { project } = await (await app.request(`/api/v1/projects/${slug}`)).json();
  assertEquals([project.name, project.pricing], ["Typed with care", null]);
});

Deno.test("a link to the submit form can set an accent by name or hex, in any case", async () => {
  await using app = await testApp();
  for (const [accent, hex] of [["lime", "#C6FF3D"], ["#c6ff3d", "#C6FF3D"], ["none", ""]]) {
    const path = `/submit?accent=${encodeURIComponent(accent!)}`;
    const text = await app.text(path);
    const radios = [...text.matchAll(/<input [^>]*name="accent"[^>]*>/g)].map(([tag]) => tag);
    const checked = radios.filter((tag) => / checked/.test(tag));
    assertEquals(checked.map((tag) => /value="([^"]*)"/.exec(tag)![1]), [hex], accent);
  }
});

Deno.test("the submit page unfolds its rarely used fields if one is filled in or wrong", async () => {
  await using app = await testApp();
  const isOpen = (html: string) => /<details class="form-rest" open>/.test(html);
  for (
    const [query, expected] of [
      ["", false],
      ["?name=A&url=https://a.example.org&tagline=B&description=C&tags=d", false],
      ["?submittedBy=E", true],
      ["?builtWith=human", true],
      ["?accent=Lime", true],
    ] as const
  ) {
    const html = await app.text(`/submit${query}`);
    assertStringIncludes(html, `<details class="form-rest"`);
    assertEquals(isOpen(html), expected, query);
  }
  const { url: _url, ...needed } = fields(1);
  for (
    const [sent, expected] of [[needed, false], [{ ...needed, logoUrl: "No!" }, true]] as const
  ) {
    const { response, text } = await post(app, "/submit", sent);
    assertEquals([response.status, isOpen(text)], [400, expected]);
  }
  const { project: { slug } } = await submit(app);
  assert(isOpen(await app.text(`/p/${slug}/edit`)), "a stored listing shows all of its fields");
});

Deno.test("the submit pages promise only what the operator's switches allow, and have no dead links", async () => {
  await using app = await testApp();
  assertStringIncludes(await app.text("/submit"), "account, live immediately.");
  await setSwitches(app.deps.store, { review: true });
  const form = await app.text("/submit");
  assertStringIncludes(form, "account, live once approved.");
  assertEquals([form.includes("live immediately"), form.includes("paused")], [false, false]);
  const { text } = await post(app, "/submit", fields(7));
  assertStringIncludes(text, "<title>Waiting for review · Projectory</title>");
  const links = [...text.matchAll(/href="(\/p\/[^"]+)"/g)].map(([, path]) => path!);
  assertEquals(links, ["/p/typed-with-care/edit"]);
  assertEquals((await app.request(links[0]!)).status, 200);
  await setSwitches(app.deps.store, { submissionsPaused: true });
  for (const path of ["/submit", "/skills/submit"]) {
    const paused = await app.text(path);
    assertStringIncludes(paused, "New submissions are paused");
    assertEquals([paused.includes("live immediately"), paused.includes("has approved")], [
      false,
      false,
    ]);
  }
});

Deno.test("the edit form keeps the stored email unless one is typed or removal is checked", async () => {
  await using app = await testApp();
  const { project: { slug }, editKey } = await submit(app, { contactEmail: "first@typed.dev" });
  const form = await app.text(`/p/${slug}/edit`);
  assertEquals(form.includes("first@typed.dev"), false);
  for (
    const [typed, stored] of [
      [{}, "first@typed.dev"],
      [{ contactEmail: "next@typed.dev" }, "next@typed.dev"],
      [{ contactEmail: "last@typed.dev", forgetEmail: "1" }, "last@typed.dev"],
      [{ forgetEmail: "1" }, null],
    ] as const
  ) {
    const { response } = await post(app, `/p/${slug}/edit`, { editKey, ...fields(8), ...typed });
    assertEquals(response.status, 303);
    assertEquals(response.headers.get("location"), `http://projectory.test/p/${slug}#saved`);
    const { value } = await app.deps.store.get<StoredListing>(listingKeys.one(slug));
    assertEquals(value!.contactEmail, stored);
  }
});

Deno.test("no form response repeats an edit key, right or wrong", async () => {
  await using app = await testApp();
  const { project, editKey } = await submit(app);
  const shared = await share(app);
  for (
    const [path, key] of [
      [`/p/${project.slug}/edit`, editKey],
      [`/skills/${shared.skill.slug}/edit`, shared.editKey],
      [`/p/${project.slug}/billing`, editKey],
    ] as const
  ) {
    for (const typed of [key, "pik_wrong"]) {
      const { response, text } = await post(app, path, { editKey: typed, tagline: "", title: "" });
      assert(response.status >= 400, path);
      assertStringIncludes(text, '<input id="editKey"');
      assertEquals(text.includes(typed), false, `${path} gives back ${typed}`);
    }
  }
});

Deno.test("tags are split at commas and semicolons, or at spaces if there are none", () => {
  for (
    const [typed, tags] of [
      ["AI tools, Git hooks ,,x", ["ai-tools", "git-hooks", "x"]],
      ["AI Notes, meetings; claude", ["ai-notes", "meetings", "claude"]],
      [" AI  tools\tx ", ["ai", "tools", "x"]],
      ["", []],
    ] as const
  ) {
    const body = bodyFromForm({ tags: typed }, { texts: [], choices: "builtWith" });
    assertEquals(body.tags, tags, typed);
  }
});

Deno.test("a form adds a missing scheme to a URL, but not to other text", async () => {
  await using app = await testApp();
  const typed = {
    ...fields(1),
    repoUrl: "github.com/typed/care",
    logoUrl: "typed-1.example.com:8080",
  };
  const listed = await post(app, "/submit", { ...typed, url: " typed-1.example.com/start?a=b " });
  assertEquals(listed.response.status, 201);
  const { project } = (await app.json("/api/v1/projects/typed-with-care")).body;
  assertEquals([project.url, project.repoUrl, project.logoUrl], [
    "https://typed-1.example.com/start?a=b",
    "https://github.com/typed/care",
    "https://typed-1.example.com:8080",
  ]);
  for (
    const [n, url] of ["no", "localhost:80", "javascript:alert(1.5)", "ftp://a.example.com"]
      .entries()
  ) {
    const { response, text } = await post(app, "/submit", { ...fields(2), url }, n);
    assertEquals([response.status, text.includes('id="url-problem"')], [400, true], url);
    assertStringIncludes(text, `value="${url}"`);
  }
});

Deno.test("a form names the wrong tag, since all are typed into one field", async () => {
  await using app = await testApp();
  const { project: { slug }, editKey } = await submit(app);
  for (const path of ["/submit", "/skills/submit", `/p/${slug}/edit`]) {
    const { text } = await post(app, path, { ...fields(3), editKey, tags: "Dev-ops, C++, x" });
    const [, problem] = /id="tags-problem">([^<]*)</.exec(text)!;
    assertEquals(
      problem,
      "Tags can only have lowercase letters, digits and dashes, up to 24: “C++”",
      path,
    );
    assertStringIncludes(text, `<a href="#tags">${problem!.replace("Tags", "Tags</a>")}`, path);
  }
});

/** The value of each control in a page's form, in order, as a browser would send it. */
function heldBy(dom: Dom): [name: string, value: string][] {
  return controlsOf(dom).flatMap((control): [string, string][] => {
    const { name, attribs } = control;
    if (name === "select") {
      const chosen = control.children.find((node) =>
        "attribs" in node && "selected" in node.attribs
      );
      return [[attribs.name!, (chosen as Element | undefined)?.attribs.value ?? ""]];
    }
    if (/^(radio|checkbox)$/.test(attribs.type ?? "")) {
      return "checked" in attribs ? [[attribs.name!, attribs.value!]] : [];
    }
    return [[attribs.name!, name === "textarea" ? heard(control) : attribs.value ?? ""]];
  });
}

/** The controls of a page's form. */
function controlsOf(dom: Dom): Element[] {
  return dom.all("input", "select", "textarea").filter((control) =>
    closest(control, ({ name, attribs }) => name === "form" && attribs.class === "form") !== null
  );
}

/** Fills in every control of a form: texts with words, choices with their last option. */
function fillIn(dom: Dom): Map<string, string> {
  return new Map(
    controlsOf(dom).map((control) => {
      const { name, attribs } = control;
      const options = control.children.filter((node) => "attribs" in node) as Element[];
      if (attribs.type === "hidden") return [attribs.name!, attribs.value!];
      if (name === "select") return [attribs.name!, options.at(-1)!.attribs.value!];
      if (/^(radio|checkbox)$/.test(attribs.type ?? "")) return [attribs.name!, attribs.value!];
      return [
        attribs.name!,
        /url$/i.test(attribs.name!) ? "https://kept.dev" : `Kept ${attribs.name}`,
      ];
    }),
  );
}

Deno.test("every rejected form keeps every field except the edit key, and links each problem to its field", async () => {
  await using app = await paidApp();
  const { project: { slug } } = await submit(app);
  const skill = (await share(app)).slug;
  const long = "Kept ".repeat(200).trim();
  const wrong: [path: string, status: number, Record<string, string>][] = [
    ["/submit", 400, { url: "kept, not an address", tagline: long, logoUrl: "kept, no address" }],
    [`/p/${slug}/edit`, 403, {}],
    [`/p/${slug}/billing`, 403, {}],
    [`/p/${slug}/report`, 400, { note: long.repeat(3) }],
    ["/report", 400, { note: long.repeat(3) }],
    ["/skills/submit", 400, { license: "Kept-1" }],
    [`/skills/${skill}/edit`, 403, {}],
    ["/promote", 404, {}],
    ["/poll", 400, { writeIn: "a/b", reason: long }],
    [`/auctions/${AUCTION_ID}`, 404, { amount: "12.50" }],
  ];
  for (const [path, status, fields] of wrong) {
    const asked = await app.text(path);
    const filled = fillIn(parsePage(asked));
    for (const [name, value] of Object.entries(fields)) filled.set(name, value);
    const { response, text } = await post(app, path, Object.fromEntries(filled));
    assertEquals(response.status, status, `${path}: ${text.slice(0, 200)}`);
    assertEquals(response.headers.get("cache-control"), "private, no-store", path);
    const dom = parsePage(text);
    // A submit form comes with its own key.
    if (filled.has("editKey") && !path.endsWith("/submit")) filled.set("editKey", "");
    assertEquals(heldBy(dom), [...filled], path);
    const [alert] = dom.all().filter(({ attribs }) => attribs.role === "alert");
    assert("autofocus" in alert!.attribs && alert!.attribs.tabindex === "-1", path);
    assertMatch(heard(alert), /Please fix (this|these) and try again:/, path);
    assertMatch(heard(dom.all("title")[0]), /^Error: .+ · Projectory$/, path);
    assertEquals(heard(parsePage(asked).all("title")[0]).includes("Error"), false, path);
    const links = dom.all("a").filter((link) => closest(link, (element) => element === alert));
    assert(links.length > 0, `${path}: ${heard(alert)}`);
    const places = links.map((link) => dom.all().indexOf(dom.byId(link.attribs.href!.slice(1))!));
    assertEquals(places, places.toSorted((a, b) => a - b), `${path}: in the order of the fields`);
    for (const link of links) {
      const field = dom.byId(link.attribs.href!.slice(1))!;
      const problem = `${field.attribs.id}-problem`;
      const said = heard(dom.byId(problem));
      const name = heard(link);
      const line = said.startsWith(name) ? said : `${name}: ${said}`;
      assert(heard(alert).includes(line), `${path}: ${heard(alert)}`);
      assert(!heard(alert).includes(`${name}: ${name}`), `${path}: ${heard(alert)}`);
      assert(field.attribs["aria-describedby"]!.split(" ").includes(problem), path);
      const label = dom.nameOf(field).replace(" optional", "");
      if (field.name === "fieldset") continue;
      assertEquals([label, field.attribs["aria-invalid"]], [name, "true"], path);
    }
    const states = controlsOf(dom).map(({ name, attribs }) => [name, attribs["aria-invalid"]]);
    const invalid = states.filter(([, state]) => state === "true").length;
    assert(invalid <= links.length, `${path}: a right field is called wrong`);
    assert(!states.some(([name, state]) => name === "select" && state === undefined), path);
  }
});

Deno.test("an edit form opened before its entry changed says so once per change and overwrites nothing unasked", async () => {
  await using app = await testApp();
  const listing = await submit(app, { description: "First words" });
  const skill = await share(app);
  for (
    const [page, api, editKey, changed, mine] of [
      [`/p/${listing.project.slug}`, "projects", listing.editKey, "tagline", "name"],
      [`/skills/${skill.slug}`, "skills", skill.editKey, "summary", "title"],
    ] as const
  ) {
    const slug = page.split("/").at(-1)!;
    const path = `${page}/edit`;
    let held = Object.fromEntries(heldBy(parsePage(await app.text(path))));
    for (const elsewhere of ["From elsewhere", "From elsewhere again"]) {
      app.clock.advance(1_000);
      await app.json(`/api/v1/${api}/${slug}`, {
        method: "PATCH",
        json: { [changed]: elsewhere },
        editKey,
      });
      const typed = { ...held, [mine]: "Typed here", editKey };
      const wrong = await post(app, path, { ...typed, editKey: "pik_wrong" });
      assertEquals(wrong.text.includes("after you opened"), false, "only the owner is told");
      const late = await post(app, path, typed);
      assertEquals(late.response.status, 400, elsewhere);
      assertMatch(alertOf(late.text), /What you typed is still here.*after you opened the form/);
      held = Object.fromEntries(heldBy(parsePage(late.text)));
      assertEquals(held[mine], "Typed here");
    }
    assertEquals((await post(app, path, { ...held, editKey })).response.status, 303);
    const { body } = await app.json(`/api/v1/${api}/${slug}`);
    assertEquals((body.project ?? body.skill)[mine], "Typed here");

    held = Object.fromEntries(heldBy(parsePage(await app.text(path))));
    app.clock.advance(1_000);
    const both = ["One window", "Another"].map((name) =>
      post(app, path, { ...held, [mine]: name, editKey })
    );
    const statuses = (await Promise.all(both)).map(({ response }) => response.status);
    assertEquals(
      statuses.sort(),
      [303, 400],
      "if two windows save at once, one is told of the other",
    );

    held = Object.fromEntries(heldBy(parsePage(await app.text(path))));
    for (const press of ["first", "second"]) {
      app.clock.advance(1_000);
      const { response } = await post(app, path, { ...held, [mine]: "Pressed twice", editKey });
      assertEquals(response.status, 303, `${press} press of the same button`);
    }
  }
});

Deno.test("no form loses what was typed while storage fails or after its entry is hidden", async () => {
  const { kv, storage } = await failingKv();
  await using app = await paidApp({ kv });
  const { project: { slug } } = await submit(app);
  const skill = (await share(app)).slug;
  const typed = { reason: "Kept with care", note: "Kept with care", editKey: "pik_secret" };
  const forms: [path: string, fields: Record<string, string>, kept: string][] = [
    ["/submit", fields(1), "Typed with care"],
    ["/skills/submit", { title: "Typed with care" }, "Typed with care"],
    [`/p/${slug}/edit`, { ...fields(1), ...typed }, "Typed with care"],
    [`/skills/${skill}/edit`, { title: "Typed with care", ...typed }, "Typed with care"],
    [`/p/${slug}/report`, { reason: "spam", note: typed.note }, typed.note],
    ["/promote", { slug: "kept-slug", tierId: "bump-3" }, "kept-slug"],
    ["/poll", { candidate: "claude", reason: typed.reason }, typed.reason],
    [`/auctions/${AUCTION_ID}`, { slug: "kept-slug", amount: "10" }, "kept-slug"],
  ];
  storage.fails = true;
  for (const [path, form, kept] of forms) {
    const { response, text } = await post(app, path, form);
    assert([400, 503].includes(response.status), `${path}: ${response.status}`);
    assertEquals([text.includes(kept), text.includes("pik_secret")], [true, false], path);
  }
  storage.fails = false;
  await moveListing(app.deps, { slug, step: "hide" });
  for (const [path, form, kept] of forms.filter(([path]) => path.startsWith(`/p/${slug}`))) {
    const { response, text } = await post(app, path, form);
    assertEquals([response.status, text.includes(kept)], [404, true], path);
    assertEquals(text.includes("pik_secret"), false, path);
  }
  const lost = await app.text(`/p/${slug}`);
  assertEquals(lost.includes("What you typed"), false);
});

Deno.test("no form loses what was typed to an internal error", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  app.deps.store.transact = () => Promise.reject(new TypeError("A planted fault"));
  for (
    const [path, form] of [
      ["/submit", fields(1)],
      [`/p/${slug}/report`, { reason: "spam", note: "Typed with care" }],
    ] as const
  ) {
    const { response, text } = await post(app, path, form);
    assertEquals([response.status, text.includes("Typed with care")], [500, true], path);
  }
});

Deno.test("a form without a required choice asks for one in plain words; the API lists all values", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  for (const path of ["/poll", `/p/${slug}/report`, "/skills/submit"]) {
    const { response, text } = await post(app, path, {});
    assertEquals(response.status, 400, path);
    const said = [...text.matchAll(/class="problem"[^>]*>([^<]*)/g)].map(([, words]) => words);
    for (const words of said) assertMatch(words!, /^(Choose an?|Enter an?|Enter the) /, path);
    assert(said.length > 0, path);
  }
  const { body } = await app.json("/api/v1/poll/vote", { json: {} });
  assertMatch(body.error.details[0].message, /^Required\. Must be one of: claude, /);
});

Deno.test("a form with a missing or wrong edit key says which, in plain words", async () => {
  await using app = await testApp();
  const { project: { slug } } = await submit(app);
  const skill = (await share(app)).slug;
  for (const path of [`/p/${slug}/edit`, `/p/${slug}/billing`, `/skills/${skill}/edit`]) {
    const { response, text } = await post(app, path, fields(4));
    assertEquals(response.status, 403, path);
    assertStringIncludes(text, 'id="editKey-problem">Enter the edit key<', path);
    assertMatch(
      alertOf(text),
      /Please fix this and try again: ?Edit key: Enter the edit key$/,
      path,
    );
    const wrong = await post(app, path, { ...fields(4), editKey: "pik_wrong" });
    assertStringIncludes(wrong.text, 'id="editKey-problem">Edit key is wrong<', path);
  }
});

Deno.test("forms have every field of their schema, so that an edit in the browser doesn't clear any", async () => {
  // The webhook field exists only if the site sends webhooks; otherwise an edit doesn't change it.
  await using app = await testApp({ env: { FETCHER_PORT: "1" } });
  const { slug } = (await submit(app)).project;
  const skill = (await share(app)).slug;
  const forms = [
    ["/submit", ListingInput],
    [`/p/${slug}/edit`, ListingInput],
    ["/skills/submit", SkillInput],
    [`/skills/${skill}/edit`, SkillInput],
  ] as const;
  for (const [path, { shape }] of forms) {
    const dom = parsePage(await app.text(path));
    const names = new Set(dom.all().map(({ attribs }) => attribs.name));
    assertEquals(Object.keys(shape).filter((field) => !names.has(field)), [], path);
  }
});
