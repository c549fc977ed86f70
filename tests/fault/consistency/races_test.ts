import { assert, assertEquals } from "@std/assert";
import { storeKeys } from "@/lib/kv/keys.ts";
import { testApp } from "../../support/app.ts";
import { rounds, runSeed, seededRandom } from "../../support/runs.ts";
import { assertConsistent, votesOf } from "../votes_audit.ts";

const address = (i: number) => `198.18.${Math.floor(i / 250)}.${1 + (i % 250)}`;

async function listed(app: Awaited<ReturnType<typeof testApp>>): Promise<string> {
  const { body } = await app.json("/api/v1/projects", {
    json: { name: "Race", url: "https://race.example.com", tagline: "Ready" },
  });
  return body.project.slug;
}

Deno.test("200 concurrent votes by 200 voters count as 200 (invariant 1)", async () => {
  await using app = await testApp();
  const slug = await listed(app);
  const answers = await Promise.all(
    Array.from(
      { length: 200 },
      (_, i) => app.json(`/api/v1/projects/${slug}/vote`, { method: "POST", address: address(i) }),
    ),
  );
  assertEquals(answers.map((a) => a.status), Array(200).fill(200));
  assert(answers.every((a) => a.body.changed && a.body.voted));
  assert(answers.every((a) => a.body.votes >= 1 && a.body.votes <= 200));
  const { voters, count } = await votesOf(app.deps.store.kv, slug);
  assertEquals([voters.size, count], [200, 200]);
  assertEquals((await app.json(`/api/v1/projects/${slug}`)).body.project.votes, 200);
});

Deno.test("50 concurrent votes by one voter count once, and one response says changed (invariant 2)", async () => {
  await using app = await testApp();
  const slug = await listed(app);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => app.json(`/api/v1/projects/${slug}/vote`, { method: "POST" })),
  );
  assertEquals(answers.map((a) => a.status), Array(50).fill(200));
  assertEquals(answers.filter((a) => a.body.changed).length, 1);
  assertEquals(answers.filter((a) => a.body.votes === 1).length, 50);
  assertEquals((await votesOf(app.deps.store.kv, slug)).count, 1);
});

Deno.test("concurrent votes and unvotes match the stored set, and stay in range (invariants 1, 2, 3)", async () => {
  const seed = runSeed("vote storm");
  for (let round = 0; round < rounds(1, 50); round++) {
    const random = seededRandom(seed + round);
    await using app = await testApp();
    const slug = await listed(app);
    const voters = 12;
    const answers = await Promise.all(Array.from({ length: 400 }, () => {
      const voter = Math.floor(random() * voters);
      const method = random() < 0.5 ? "POST" : "DELETE";
      return app.json(`/api/v1/projects/${slug}/vote`, { method, address: address(voter) });
    }));
    assert(answers.every((a) => a.status === 200), `seed ${seed + round}`);
    assert(
      answers.every((a) => a.body.votes >= 0 && a.body.votes <= voters),
      `seed ${seed + round}`,
    );
    await assertConsistent(app.deps.store.kv, `seed ${seed + round}`);
    const { count } = await votesOf(app.deps.store.kv, slug);
    assertEquals((await app.json(`/api/v1/projects/${slug}`)).body.project.votes, count);
    const states = await Promise.all(
      Array.from(
        { length: voters },
        (_, i) => app.json(`/api/v1/projects/${slug}/vote`, { address: address(i) }),
      ),
    );
    assertEquals(states.filter((s) => s.body.voted).length, count);
  }
});

/** One URL in 20 spellings that the contract treats as equal. */
const SPELLINGS = [
  "https://Example.com/App",
  "http://example.com/App",
  "https://www.example.com/App",
  "https://example.com/App/",
  "https://example.com:443/App",
  "http://example.com:80/App",
  "https://example.com/App#top",
  "https://example.com/App?utm_source=x",
  "https://example.com/App?ref=y",
  "https://example.com/App?fbclid=1&gclid=2",
  "https://example.com./App",
  "HTTPS://EXAMPLE.COM/App",
  "https://example.com/App/index.html",
  "https://example.com/./App",
  "https://example.com/x/../App",
  "https://example.com/%41pp",
  "https://example.com/App?",
  "https://www.example.com/App/?utm_medium=a#b",
  "http://www.example.com/App/index.html",
  "https://example.com/App?UTM_Campaign=z",
];

Deno.test("20 concurrent submissions of one URL: one is listed, and 19 get its slug (invariants 6 and 7)", async () => {
  await using app = await testApp();
  const answers = await Promise.all(SPELLINGS.map((url, i) =>
    app.json("/api/v1/projects", {
      json: { name: `Spelling ${i}`, url, tagline: "One of twenty" },
      address: address(i),
    })
  ));
  const created = answers.filter((a) => a.status === 201);
  const refused = answers.filter((a) => a.status === 409);
  assertEquals([created.length, refused.length], [1, 19]);
  const { slug } = created[0]!.body.project;
  for (const { body } of refused) {
    assertEquals([body.error.code, body.error.details.slug], ["duplicate_url", slug]);
  }
  const listings = await assertConsistent(app.deps.store.kv);
  assertEquals([...listings.keys()], [slug]);
  const limits = await Array.fromAsync(app.deps.store.kv.list({ prefix: ["rate_limits"] }));
  assertEquals(limits.length, 1, "a refused submission spends nothing");
  const changes = await Array.fromAsync(app.deps.store.kv.list({ prefix: storeKeys.changes }));
  assertEquals(changes.length, 1);
});

Deno.test("30 concurrent submissions of one name get 30 distinct slugs (invariant 6)", async () => {
  await using app = await testApp();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      app.json("/api/v1/projects", {
        json: { name: "Same Name", url: `https://n${i}.example.com`, tagline: "Namesake" },
        address: address(i),
      })),
  );
  assertEquals(answers.map((a) => a.status), Array(30).fill(201));
  assertEquals(new Set(answers.map((a) => a.body.project.slug)).size, 30);
  await assertConsistent(app.deps.store.kv);
});

Deno.test("concurrent edits that swap URLs leave each URL with one listing (invariant 8)", async () => {
  await using app = await testApp();
  const keys: { slug: string; editKey: string }[] = [];
  for (let i = 0; i < 4; i++) {
    const { body } = await app.json("/api/v1/projects", {
      json: { name: `Edit ${i}`, url: `https://e${i}.example.com`, tagline: "Moves" },
      address: address(i),
    });
    keys.push({ slug: body.project.slug, editKey: body.editKey });
  }
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => {
    const { slug, editKey } = keys[i % 4]!;
    return app.json(`/api/v1/projects/${slug}`, {
      method: "PATCH",
      json: { url: `https://e${(i * 7) % 6}.example.com` },
      editKey,
      address: address(i),
    });
  }));
  assert(answers.every((a) => [200, 409].includes(a.status)));
  assert(answers.some((a) => a.status === 200));
  await assertConsistent(app.deps.store.kv);
});

Deno.test("exactly 120 of 200 concurrent vote actions of one network succeed (invariant 34)", async () => {
  await using app = await testApp();
  const slug = await listed(app);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      app.json(`/api/v1/projects/${slug}/vote`, {
        method: "POST",
        userAgent: `agent ${i % 20}`,
      })),
  );
  assertEquals(answers.filter((a) => a.status === 200).length, 120);
  assertEquals(answers.filter((a) => a.status === 429).length, 80);
  assertEquals((await votesOf(app.deps.store.kv, slug)).count, 20);
});
