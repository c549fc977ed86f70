import { assert } from "@std/assert";
import { delay } from "@/lib/clock.ts";
import { seedDirectory } from "../bench/seed.ts";
import { rounds, runSeed, seededRandom } from "../support/runs.ts";
import { removeBuild, type ServerProcess, startServer } from "../support/server.ts";
import { StripeDouble, TEST_KEY, TEST_SECRET } from "../support/stripe_double.ts";
import type { Random } from "./from_schema.ts";
import { exchange, malformedRequest } from "./raw_socket.ts";
import { pagePaths, requestGenerator } from "./requests.ts";
import { ordinaryTraffic, toSendable } from "./steady_traffic.ts";

/** Requests per second, and how many of them are hostile. */
const RATE = 100;
const HOSTILE = 0.1;
const LISTINGS = 1_000;

/**
 * How often (ms) memory is sampled, after the first third of the run: in the long form, after
 * minute 10.
 */
const WATCH_MS = 5_000;
/** MiB a minute. The entries and votes that the traffic adds take 1.3 (docs/performance.md). */
const SLOPE_MAX = 2;

/** The responses of one run. */
class Tally {
  readonly statuses = new Map<string, number>();
  /** Latencies of ordinary requests, in ms. */
  readonly latencies: number[] = [];
  readonly wrong: string[] = [];

  add(kind: "ordinary" | "hostile", status: number, what: () => string): void {
    const key = `${kind} ${status}`;
    this.statuses.set(key, (this.statuses.get(key) ?? 0) + 1);
    // Ownership can't be proven here without a fetcher, and the registry has no `explore`.
    if (status < 500 || /"(fetcher_unavailable|not_implemented)"|check by hand/.test(what())) {
      return;
    }
    this.wrong.push(`${status}: ${what()}`.slice(0, 600));
  }

  percentile(part: number): number {
    const sorted = this.latencies.toSorted((a, b) => a - b);
    return Math.round(sorted[Math.floor(sorted.length * part)]! * 10) / 10;
  }
}

Deno.test("100 requests a second, a tenth of them hostile: no unexpected 5xx, and in the long form steady memory", async () => {
  const seed = runSeed("steady load");
  const random = seededRandom(seed);
  const minutes = rounds(0.1, 30);
  const kvPath = await seedDirectory(LISTINGS);
  const folder = kvPath.slice(0, kvPath.lastIndexOf("/"));
  const stripe = new StripeDouble(() => Date.now());
  const payments = stripe.serve();
  try {
    await using server = await startServer({
      folder,
      task: "serve:remote",
      env: {
        TRUSTED_PROXIES: "1",
        LOG_LEVEL: "warn",
        STRIPE_SECRET_KEY: TEST_KEY,
        STRIPE_WEBHOOK_SECRET: TEST_SECRET,
        STRIPE_API_URL: payments.url,
      },
    });
    while ((await (await fetch(`${server.base}/api/v1/projects?q=tide`)).json()).ok === false) {
      await delay(50);
    }
    const tally = new Tally();
    const memory: [minute: number, mebibytes: number][] = [];
    const startedAt = performance.now();
    const minute = () => (performance.now() - startedAt) / 60_000;
    const watch = setInterval(async () => {
      const mebibytes = await server.memory();
      // A process that has exited uses no memory.
      if (Number.isNaN(mebibytes)) return;
      memory.push([minute(), mebibytes]);
      if (minutes > 1 && memory.length % 12 === 0) {
        // deno-lint-ignore no-console -- the course of a long run
        console.log(`minute ${minute().toFixed(1)}: ${memory.at(-1)![1].toFixed(1)} MiB`);
      }
    }, Math.min(WATCH_MS, minutes * 60_000 / 20));
    await send(server, { tally, random, until: startedAt + minutes * 60_000 });
    clearInterval(watch);
    const rate = slope(memory.filter(([at]) => at > minutes / 3));
    const statuses = [...tally.statuses].sort().map(([key, n]) => `${key}: ${n}`).join(", ");
    // deno-lint-ignore no-console -- the figures are what a run is for
    console.log(
      `SEED=${seed}: ${minutes} minutes, memory ${rate.toFixed(2)} MiB a minute, at the end ` +
        `${memory.at(-1)![1].toFixed(0)} MiB; ordinary p50 ${tally.percentile(0.5)} ms, p99 ` +
        `${tally.percentile(0.99)} ms, slowest ${tally.percentile(1 - 1e-9)} ms; ${statuses}`,
    );
    assert(tally.wrong.length === 0, tally.wrong.slice(0, 20).join("\n"));
    assert(!/internal_error|storage_unavailable/.test(server.log()), server.log());
    if (minutes < 10) return;
    assert(tally.latencies.length > minutes * 60 * RATE * 0.8, "the load was not reached");
    assert(rate < SLOPE_MAX, `${rate} MiB a minute; seed ${seed}`);
  } finally {
    await payments.close();
    await Deno.remove(folder, { recursive: true });
    await removeBuild();
  }
});

/** Sends at the run's rate without waiting for responses, then waits for the last ones. */
async function send(
  server: ServerProcess,
  { tally, random, until }: { tally: Tally; random: Random; until: number },
): Promise<void> {
  const slugs = Array.from({ length: LISTINGS }, (_, i) => `listing-${i}`);
  const document = await (await fetch(`${server.base}/openapi.json`)).json();
  const pages = await pagePaths(new URL("../../routes/", import.meta.url), "");
  const known = { slugs: slugs.slice(0, 50), keys: [`pik_${"A".repeat(43)}`], pages };
  const generated = requestGenerator(document, known, random);
  const ordinary = ordinaryTraffic(slugs, random);
  // Like a proxy, keeps few connections. Each open one uses server memory.
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 64 });
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let sent = 0; performance.now() < until; sent++) {
    const wait = startedAt + sent * 1000 / RATE - performance.now();
    if (wait > 0) await delay(wait);
    const work = (random() < HOSTILE ? sendHostile() : sendOrdinary()).catch((error) => {
      tally.wrong.push(String(error));
    });
    underWay.add(work);
    work.finally(() => underWay.delete(work));
  }
  await Promise.all(underWay);

  async function sendOrdinary(): Promise<void> {
    const { path, headers, ...request } = ordinary();
    // Real visitors return: few enough to hit limits occasionally, and enough for votes to count.
    const from = `10.${Math.floor(random() * 4)}.${Math.floor(random() * 256)}.${
      Math.floor(random() * 256)
    }`;
    const before = performance.now();
    const options: RequestInit & { client: Deno.HttpClient } = {
      ...request,
      headers: { ...headers, "x-forwarded-for": from },
      redirect: "manual",
      client,
    };
    const response = await fetch(server.base + path, options);
    const body = await response.text();
    tally.latencies.push(performance.now() - before);
    tally.add("ordinary", response.status, () => `${request.method} ${path} ${body}`);
    // Reading tools are called as their schemas say, with existing listings.
    if (body.includes('"isError":true')) tally.wrong.push(`${request.body}: ${body}`.slice(0, 600));
  }

  async function sendHostile(): Promise<void> {
    const kind = random();
    if (kind < 0.1) {
      const request = malformedRequest(random);
      const answer = await exchange(server, request);
      for (const [, status] of answer.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        tally.add("hostile", Number(status), () => JSON.stringify(request));
      }
      return;
    }
    const request = generated();
    const sendable = toSendable(request);
    if (sendable === null) return;
    const [path, init] = sendable;
    // One in ten disconnects before its response.
    const signal = kind < 0.2 ? AbortSignal.timeout(Math.floor(random() * 20)) : null;
    try {
      const options: RequestInit & { client: Deno.HttpClient } = { ...init, signal, client };
      const response = await fetch(server.base + path, options);
      const body = await response.text();
      tally.add("hostile", response.status, () => `${Deno.inspect(request)} ${body}`);
    } catch (error) {
      if (signal === null) throw new Error(Deno.inspect(request), { cause: error });
    }
  }
}

/** The slope of the best-fitting line (least squares), in units of y per unit of x. */
function slope(points: [number, number][]): number {
  const mean = (i: 0 | 1) => points.reduce((sum, point) => sum + point[i], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0);
  return over / points.reduce((sum, [px]) => sum + (px - x) ** 2, 0);
}
