import { assertEquals } from "@std/assert";
import { type Deps, openDeps } from "@/lib/app/deps.ts";
import { parseEnv } from "@/lib/env.ts";
import { GuestbookBoard } from "@/lib/guestbook/board.ts";
import { PollBoard } from "@/lib/poll/board.ts";
import { Catalogue } from "@/lib/read_model/catalogue.ts";
import { TEST_SETTINGS } from "../support/app.ts";
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
