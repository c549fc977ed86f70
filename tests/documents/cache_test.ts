import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Deps } from "@/lib/app/deps.ts";
import { openApi } from "@/lib/app/openapi.ts";
import { keptDocument } from "@/lib/documents/cache.ts";
import { createAnswers } from "@/lib/http/answers.ts";
import { entity } from "@/lib/http/respond.ts";
import { testApp } from "../support/app.ts";
import { submit } from "../support/listings.ts";

Deno.test("keptDocument keeps a document however often another changes, until space runs out", () => {
  const catalogue = { revision: 0 };
  const deps = { catalogue, skills: { revision: 0 }, answers: createAnswers() } as Deps;
  let made = 0;
  const read = (key: string) =>
    keptDocument(deps, key, () => {
      made++;
      return entity("x".repeat(1_000_000));
    });
  for (let i = 0; i < 60; i++) {
    catalogue.revision++;
    read("changing");
  }
  read("other");
  read("third");
  read("other");
  assertEquals(made, 62, "each was made once since the last change");
  for (let i = 0; i < 40; i++) read(`page ${i}`);
  read("other");
  assertEquals(made, 103, "16 MB are full");
});

Deno.test("the OpenAPI document is kept, whatever changes", async () => {
  await using app = await testApp();
  const made = openApi(app.deps);
  await submit(app);
  assertStrictEquals(openApi(app.deps), made);
});
