import { assert, assertEquals } from "@std/assert";
import { moveListing } from "@/lib/operator/listings.ts";
import { setSkillHidden } from "@/lib/skills/service.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { callTool, rpc } from "../support/mcp.ts";
import { share } from "../support/skills.ts";

const EMAIL = "canary-7f3a@private.example";
const LISTED = "Zebrafinch";
const SHARED = "Quokkaguide";

/** Everything that agents read, as one text per surface. */
async function surfaces(app: TestApp, slugs: { project: string; skill: string }) {
  const texts = new Map<string, string>();
  const paths = [
    "/llms.txt",
    "/llms-full.txt",
    ...["", "/c/saas", "/t/claude", "/gems", "/skills"].flatMap((
      s,
    ) => [`${s}/feed.xml`, `${s}/feed.json`]),
    "/sitemap.xml",
    "/sitemaps/pages.xml",
    "/sitemaps/projects-1.xml",
    "/sitemaps/skills-1.xml",
    "/index.md",
    "/projects.md",
    "/c/saas.md",
    "/t/claude.md",
    "/skills.md",
    `/p/${slugs.project}.md`,
    `/skills/${slugs.skill}.md`,
    `/skills/${slugs.skill}/.well-known/agent-skills/index.json`,
  ];
  for (const path of paths) texts.set(path, await (await app.request(path)).text());
  const calls: [string, Record<string, unknown>][] = [
    ["search_projects", {}],
    ["search_projects", { query: LISTED }],
    ["get_project", { slug: slugs.project }],
    ["trending", {}],
    ["where_to_promote", {}],
    ["search_skills", { query: SHARED }],
    ["get_skill", { slug: slugs.skill }],
  ];
  for (const [tool, args] of calls) {
    texts.set(`${tool} ${JSON.stringify(args)}`, JSON.stringify(await callTool(app, tool, args)));
  }
  for (
    const uri of [
      "directory://llms",
      `directory://project/${slugs.project}`,
      `directory://skill/${slugs.skill}`,
    ]
  ) {
    texts.set(uri, JSON.stringify((await rpc(app, "resources/read", { uri })).body.result ?? ""));
  }
  for (
    const [uri, value] of [["directory://project/{slug}", "zebra"], [
      "directory://skill/{slug}",
      "quokka",
    ]]
  ) {
    const params = { ref: { type: "ref/resource", uri }, argument: { name: "slug", value } };
    texts.set(
      `complete ${uri}`,
      JSON.stringify((await rpc(app, "completion/complete", params)).body),
    );
  }
  return texts;
}

const SHOWN = new RegExp(`${LISTED}|${SHARED}`, "i");

Deno.test("a hidden listing and a hidden skill are on no surface that agents read (invariant 12)", async () => {
  await using app = await testApp();
  const { project } = await submit(app, { name: LISTED, category: "saas", builtWith: ["claude"] });
  const { slug } = await share(app, { title: SHARED });
  const slugs = { project: project.slug, skill: slug };
  const before = await surfaces(app, slugs);
  const missing = [...before].filter(([, text]) => !SHOWN.test(text)).map(([name]) => name);
  assertEquals(missing, [
    "/gems/feed.xml",
    "/gems/feed.json",
    "/sitemaps/pages.xml",
    "where_to_promote {}",
  ]);

  await moveListing(app.deps, { slug: project.slug, step: "hide" });
  await setSkillHidden(app.deps, { slug, hidden: true });
  await app.deps.sync.caughtUp();
  const after = await surfaces(app, slugs);
  // No response repeats what the caller asked for.
  const showing = [...after].filter(([, text]) => SHOWN.test(text)).map(([name]) => name);
  assertEquals(showing, []);
});

Deno.test("nothing that agents read has a contact address, an edit key or its hash (invariant 10)", async () => {
  await using app = await testApp();
  const args = {
    name: LISTED,
    url: "https://zebrafinch.example.com",
    tagline: "t",
    category: "saas",
    builtWith: ["claude"],
    contactEmail: EMAIL,
  };
  const { structuredContent } = await callTool(app, "submit_project", args);
  const { editKey, project } = structuredContent;
  assert(!JSON.stringify(project).includes(EMAIL));
  const { slug, editKey: skillKey } = await share(app, { title: SHARED });
  const patch = { slug: project.slug, editKey, fields: { tagline: "changed" } };
  const edited = JSON.stringify(await callTool(app, "update_project", patch));
  const texts = [...await surfaces(app, { project: project.slug, skill: slug }), [
    "update_project",
    edited,
  ]];
  const leaks = texts.filter(([, text]) =>
    text!.includes(EMAIL) || text!.includes(editKey) || text!.includes(skillKey) ||
    /pik_[\w-]{20}|keyHash|contactEmail/.test(text!)
  ).map(([name]) => name);
  assertEquals(leaks, []);
});
