import { assert, assertEquals } from "@std/assert";
import { delay } from "@/lib/clock.ts";
import type { TestRequest } from "../support/app.ts";
import { inFolder } from "../support/folder.ts";
import { rounds } from "../support/runs.ts";
import { removeBuild, type ServerProcess, startServer } from "../support/server.ts";
import { TEST_SETTINGS } from "../support/settings.ts";
import { assertConsistent } from "./votes_audit.ts";

/** The longest a server may take, in ms, to show what others wrote while it was frozen. */
const CATCH_UP_MAX = 1_000;

/** Sends from one network, unless another is given. */
const send = (server: ServerProcess, path: string, options: TestRequest = {}) =>
  server.json(path, { address: "192.0.2.1", ...options });

const listing = (name: string) => ({ name, url: `https://${name}.example.com`, tagline: "x" });

Deno.test("a server that was frozen responds to waiting requests, and catches up within a second", async () => {
  await inFolder(async (folder) => {
    const frozenMs = rounds(2_500, 600_000);
    const env = { TRUSTED_PROXIES: "1", LOG_LEVEL: "warn", HASH_SALT: TEST_SETTINGS.HASH_SALT };
    await using frozen = await startServer({ folder, env });
    await using other = await startServer({ folder, env });
    assertEquals((await send(frozen, "/api/v1/projects", { json: listing("before") })).status, 201);
    const spent = Date.now();
    for (let i = 0; i < 4; i++) {
      const answer = await send(frozen, "/api/v1/projects", { json: listing(`limit-${i}`) });
      assertEquals(answer.status, 201);
    }

    Deno.kill(frozen.pid, "SIGSTOP");
    const vote = (server: ServerProcess, i: number) =>
      send(server, "/api/v1/projects/before/vote", { method: "POST", address: `10.9.0.${i}` });
    // The kernel accepts these for the frozen server, which responds once it resumes.
    const waiting = Promise.allSettled(Array.from({ length: 20 }, (_, i) => vote(frozen, i)));
    const until = performance.now() + frozenMs;
    let written = 0;
    while (performance.now() < until) {
      const i = written++;
      const address = `10.8.${i >> 8}.${i & 255}`;
      const made = await send(other, "/api/v1/projects", { address, json: listing(`while-${i}`) });
      assertEquals(made.status, 201, JSON.stringify(made.body));
      assertEquals((await vote(other, 100 + i % 100)).status, 200);
      await delay(frozenMs / 50);
    }
    Deno.kill(frozen.pid, "SIGCONT");

    for (const answer of await waiting) {
      if (answer.status === "rejected") throw answer.reason;
      assertEquals([answer.value.status, answer.value.body.voted], [200, true]);
    }
    const wokenAt = performance.now();
    const total = 5 + written;
    const votes = 20 + Math.min(written, 100);
    for (;;) {
      const { status, body } = await send(frozen, "/api/v1/projects?sort=top&limit=1");
      assertEquals(status, 200);
      const shown = [body.total, body.projects[0].votes];
      if (shown[0] === total && shown[1] === votes) break;
      const late = performance.now() - wokenAt;
      assert(late < CATCH_UP_MAX, `${shown} of ${[total, votes]} after ${late} ms`);
      await delay(10);
    }
    const caughtUp = performance.now() - wokenAt;
    for (const server of [frozen, other]) {
      await delay(server === other ? CATCH_UP_MAX : 0);
      const { body } = await send(server, "/api/v1/projects/before");
      assertEquals(body.project.votes, votes);
    }

    // A limit's hour continues while a server is frozen.
    const sixth = await send(frozen, "/api/v1/projects", { json: listing("one-too-many") });
    assertEquals([sixth.status, sixth.body.error.code], [429, "rate_limited"]);
    const retryAfter = Number(sixth.headers.get("retry-after"));
    const left = 3_600 - (Date.now() - spent) / 1_000;
    assert(Math.abs(retryAfter - left) < 5, `Retry-After ${retryAfter}, ${left} seconds are left`);

    for (let i = 0; i < 40; i++) {
      const address = `10.7.0.${i}`;
      const answer = await send(frozen, "/api/v1/projects/before/vote", {
        method: "POST",
        address,
      });
      assertEquals(answer.status, 200, JSON.stringify(answer.body));
    }
    const health = await send(frozen, "/api/v1/health");
    assertEquals([health.status, health.body.problems], [200, []]);
    assert(health.body.catalogue.lagMs < 2_000, JSON.stringify(health.body.catalogue));
    // Work that a deadline interrupted may be retried, but nothing may have been refused for it.
    assert(!/internal_error|job_failed|storage_unavailable/.test(frozen.log()), frozen.log());
    using kv = await Deno.openKv(`${folder}/kv.sqlite3`);
    await assertConsistent(kv);
    // deno-lint-ignore no-console -- the run's results
    console.log(
      `frozen for ${frozenMs / 1_000} s, ${written} listings and votes written in the meantime, ` +
        `caught up in ${Math.round(caughtUp)} ms`,
    );
  });
});

Deno.test.afterAll(removeBuild);
