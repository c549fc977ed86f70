import { assertEquals } from "@std/assert";
import { type Deps, openDeps } from "@/lib/app/deps.ts";
import { parseEnv } from "@/lib/env.ts";
import { GuestbookBoard } from "@/lib/guestbook/board.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { PollBoard } from "@/lib/poll/board.ts";
import { Catalogue } from "@/lib/read_model/catalogue.ts";
import { snapshotKeys } from "@/lib/read_model/keys.ts";
import { TEST_SETTINGS } from "../support/app.ts";
import { storedListing } from "../support/stored_listing.ts";
import { until } from "../support/until.ts";

Deno.test("startup reads what the first pages need before it indexes texts", async () => {
  const folder = await Deno.makeTempDir();
  const done: string[] = [];
  const { indexText } = Catalogue.prototype;
  const boards = [PollBoard.prototype, GuestbookBoard.prototype] as {
    read(now: number): unknown;
  }[];
  const reads = boards.map(({ read }) => read);
  boards.forEach((board, i) => {
    board.read = async function (now) {
      const value = await reads[i]!.call(this, now);
      done.push(["poll", "guestbook"][i]!);
      return value;
    };
  });
  Catalogue.prototype.indexText = function () {
    done.push("texts");
    return indexText.call(this);
  };
  try {
    const env = parseEnv({ ...TEST_SETTINGS, KV_PATH: `${folder}/kv.sqlite3` });
    const deps = await openDeps(env);
    await until("texts are indexed", () => done.includes("texts"));
    assertEquals(done.toSorted(), ["guestbook", "poll", "texts", "texts"]);
    assertEquals(done.at(-1), "texts");
    await close(deps);
  } finally {
    boards.forEach((board, i) => board.read = reads[i]!);
    Catalogue.prototype.indexText = indexText;
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("on Deno Deploy, a load from the records is followed by a snapshot", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/kv.sqlite3`;
    const kv = await Deno.openKv(path);
    for (let i = 0; i < 1_000; i++) {
      await kv.set(listingKeys.one(`p-${i}`), storedListing(`p-${i}`));
    }
    kv.close();
    const settings = { ...TEST_SETTINGS, KV_PATH: path, DENO_DEPLOYMENT_ID: "x" };
    const deps = await openDeps(parseEnv(settings));
    const snapshot = () => deps.store.get(snapshotKeys.meta);
    assertEquals([deps.sync.isPutOff, (await snapshot()).value], [true, null]);
    await deps.sync.loaded();
    await until("there is a snapshot", async () => (await snapshot()).value !== null);
    await close(deps);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("startup logs settings that look like a mistake", async () => {
  const lines: string[] = [];
  const { console: real } = globalThis;
  globalThis.console = { ...real, error: (line: string) => lines.push(line) };
  try {
    const variables = { KV_PATH: ":memory:", BASE_URL: "https://projectory.example" };
    await close(await openDeps(parseEnv({ ...TEST_SETTINGS, ...variables, LOG_LEVEL: "warn" })));
  } finally {
    globalThis.console = real;
  }
  const warnings = lines.map((line) => JSON.parse(line).warning.split(":")[0]);
  assertEquals(warnings, ["BASE_URL is https, but TRUSTED_PROXIES is 0"]);
});

async function close(deps: Deps): Promise<void> {
  deps.tail.stop();
  await deps.traffic.stop();
  await deps.store.idle();
  deps.store.close();
}
