import { delay } from "@/lib/clock.ts";
import { startKvServer } from "../../support/kv_connect.ts";
import { remoteSettings } from "../../support/settings.ts";
import { copyOf } from "../directory.ts";
import {
  answers,
  LIST,
  median,
  memoryOf,
  type OursOptions,
  type Row,
  type Server,
  spawnOurs,
} from "../harness.ts";
import { type KvProxy, startKvProxy } from "../kv_proxy.ts";

const SIZE = 100_000;
const STARTS = 3;
/** How far away the KV server is, in ms per request. */
const DISTANCE_MS = 8;
/** How long (ms) to watch a server without requests. */
const IDLE_MS = 60_000;

/** How long (ms) a server takes to start and serve a first file, one listing, and a whole list. */
interface Start {
  answer: number;
  record: number;
  list: number;
}

/**
 * Measures starts on a directory: how soon they serve requests, what they cost, and what an idle
 * server costs.
 */
export async function* start(): AsyncGenerator<Row> {
  const file = await copyOf(SIZE);
  const starts: Start[] = [];
  for (let i = 0; i < STARTS; i++) {
    await using ours = await spawnOurs(file);
    starts.push(await measure(ours));
  }
  yield* startRows("embedded", starts, 2);
  yield await memory(file);
  yield* remote();
}

async function* remote(): AsyncGenerator<Row> {
  await using kv = startKvServer({ file: await copyOf(SIZE) });
  await using proxy = startKvProxy(kv.url, DISTANCE_MS);
  const options: OursOptions = {
    task: "serve:remote",
    env: remoteSettings({ url: proxy.url, token: kv.token }, "silent"),
  };
  const starts: Start[] = [];
  const reads: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const before = proxy.reads();
    await using ours = await spawnOurs(proxy.url, options);
    starts.push(await measure(ours));
    reads.push(proxy.reads() - before);
  }
  yield* startRows(`KV ${DISTANCE_MS} ms away`, starts, 4);
  yield {
    what: "KV read requests from startup to the first list",
    figure: median(reads),
    unit: "requests",
    wanted: { atMost: 150 },
  };
  await using ours = await spawnOurs(proxy.url, options);
  yield await idleReads(ours, proxy);
}

/** Times the first responses of a process that was just started. */
async function measure(ours: Server): Promise<Start> {
  const begin = performance.now();
  await answers(ours, "/robots.txt");
  const answer = performance.now() - begin;
  await answers(ours, `${LIST}/listing-7`);
  const record = performance.now() - begin;
  const { total } = JSON.parse(await answers(ours, LIST));
  if (total !== SIZE) throw new Error(`The first list has ${total} listings`);
  return { answer, record, list: performance.now() - begin };
}

function* startRows(where: string, starts: Start[], listAtMost: number): Generator<Row> {
  const row = (what: string, name: keyof Start, atMost?: number): Row => ({
    what: `start, ${where}: ${what}`,
    figure: median(starts.map((start) => start[name])) / 1000,
    unit: "s",
    wanted: atMost === undefined ? undefined : { atMost },
  });
  yield row("first answer", "answer", 0.5);
  yield row("first listing", "record");
  yield row("first list", "list", listAtMost);
}

/** The memory of a server whose search is ready and that has answered some requests. */
async function memory(file: string): Promise<Row> {
  const sizes: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    await using ours = await spawnOurs(file);
    for (const path of [`${LIST}?q=parser`, LIST, "/api/v1/trending"]) await answers(ours, path);
    await delay(3_000);
    sizes.push(await memoryOf(ours));
  }
  return {
    what: "memory (RSS) with search, 100,000 listings",
    figure: median(sizes),
    unit: "MB",
    wanted: { atMost: 450 },
  };
}

/** What an idle server reads. Its start is over once it has answered a search. */
async function idleReads(ours: Server, proxy: KvProxy): Promise<Row> {
  await answers(ours, `${LIST}?q=ready`);
  await delay(3_000);
  const before = proxy.reads();
  await delay(IDLE_MS);
  return {
    what: "KV read requests of an idle server",
    figure: (proxy.reads() - before) * 60_000 / IDLE_MS,
    unit: "a minute",
    wanted: { atMost: 2 },
  };
}
