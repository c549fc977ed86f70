import { assertEquals } from "@std/assert";
import { gunzipSync } from "node:zlib";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";
import { share } from "../support/skills.ts";

Deno.test("repeated reads return the same body and headers, compressed or not", async () => {
  await using app = await testApp();
  for (const category of ["design", "game"]) {
    for (const tagline of ["夜空折进口袋", "Plain – or nearly", "Plain"]) {
      await submit(app, { category, tagline });
    }
  }
  const { slug } = await share(app, { summary: "夜空折进口袋" });
  const paths = [
    ...[
      "/",
      "/projects?q=夜空",
      "/p/project-1",
      "/p/project-3",
      `/skills/${slug}`,
      "/poll",
      "/about",
    ],
    ...["/index.md", "/poll.md", "/p/project-1.md", "/api/v1", "/api/v1/help", "/api/v1/changes"],
    ...["design", "game"].map((category) => `/api/v1/projects?category=${category}`),
    ...[
      "/api/v1/projects?sort=new&explain=1",
      "/api/v1/projects?limit=1",
      "/api/v1/projects?q=nearly",
    ],
    ...["/api/v1/projects/project-1", `/api/v1/skills/${slug}`],
  ];
  const read = async (path: string, encoding: string) => {
    const response = await app.request(path, {
      headers: { "accept": "text/html,*/*;q=0.8", "accept-encoding": encoding },
    });
    const bytes = await response.bytes();
    const headers = [...response.headers].filter(([name]) => name !== "x-request-id");
    const isZipped = response.headers.has("content-encoding");
    return { headers, text: new TextDecoder().decode(isZipped ? gunzipSync(bytes) : bytes) };
  };
  const readAll = async (encoding: string) => {
    const answers = [];
    for (const path of paths) answers.push([path, await read(path, encoding)] as const);
    return answers;
  };
  const first = await readAll("identity");
  const zipped = await readAll("gzip");
  assertEquals(zipped.map(([, { text }]) => text), first.map(([, { text }]) => text));
  for (let times = 0; times < 2; times++) {
    assertEquals(await readAll("identity"), first);
    assertEquals(await readAll("gzip"), zipped);
  }
});
