import { assertEquals } from "@std/assert";
import { Builder } from "fresh/dev";
import { fileURLToPath } from "node:url";
import { createApp } from "@/lib/app/app.ts";
import type { State } from "@/lib/app/define.ts";
import { createDeps, type Deps } from "@/lib/app/deps.ts";
import { type Env, parseEnv } from "@/lib/env.ts";
import type { Fetcher } from "@/lib/fetching/fetcher.ts";
import type { KvLike } from "@/lib/kv/store.ts";
import { lifetimeOf } from "@/lib/lifetimes.ts";
import { migrate } from "@/lib/migrations.ts";
import { assertConforms } from "./conformance.ts";
import { type FixedClock, fixedClock } from "./fixed_clock.ts";
import { kvWith, watchChecks } from "./kv_with.ts";
import { TEST_SETTINGS } from "./settings.ts";

export { TEST_SETTINGS } from "./settings.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Routes and islands are built once per worker, in memory. */
const applySnapshot = new Builder<State>({ root }).build({ snapshot: "memory" });

/** When tests begin, unless they say otherwise: a Wednesday. */
export const TEST_NOW = Date.parse("2026-03-04T12:00:00.000Z");

/** One test request. */
export interface TestRequest extends Omit<RequestInit, "body"> {
  /** A JSON body; sets method POST and the content type unless given. */
  json?: unknown;
  /** A form body, as a browser sends it. */
  form?: Record<string, string> | [string, string][];
  body?: BodyInit;
  /** The caller's address. */
  address?: string;
  userAgent?: string;
  /** The edit key, sent as `X-Edit-Key`. */
  editKey?: string;
}

/** A parsed response; tests read its body freely. */
export interface JsonAnswer {
  status: number;
  headers: Headers;
  // deno-lint-ignore no-explicit-any -- any shape; the OpenAPI check validates it
  body: any;
}

/** A complete service in memory. */
export interface TestApp extends AsyncDisposable {
  deps: Deps;
  clock: FixedClock;
  /** The app itself, for tests that serve it on a port. */
  handler: (req: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;
  /** Sends a request; the response is checked against the OpenAPI document. */
  request(path: string, options?: TestRequest): Promise<Response>;
  /** Sends a request and reads the text of the response. */
  text(path: string, options?: TestRequest): Promise<string>;
  /** Sends a request and parses the JSON response. */
  json(path: string, options?: TestRequest): Promise<JsonAnswer>;
}

/** Creates a service with a new in-memory KV and a fixed clock. */
export async function testApp(
  options: {
    now?: number | string;
    env?: Record<string, string>;
    kv?: KvLike;
    /** Fetches user-submitted URLs. By default, nothing is fetched. */
    fetcher?: Fetcher;
  } = {},
): Promise<TestApp> {
  const env: Env = parseEnv({ ...TEST_SETTINGS, ...options.env });
  const clock = fixedClock(options.now ?? TEST_NOW);
  const misfiled = new Set<string>();
  const overchecked = new Set<string>();
  const kv = options.kv ?? kvInMemory(await Deno.openKv(":memory:"), { misfiled, overchecked });
  const deps = createDeps(env, { kv, clock, salt: env.hashSalt! });
  await migrate(deps.store);
  await deps.sync.load();
  await deps.placements.load();
  if (options.fetcher) deps.fetcher = options.fetcher;
  const app = createApp(deps);
  (await applySnapshot)(app);
  const handler = app.handler();

  async function request(path: string, init: TestRequest = {}): Promise<Response> {
    const req = toRequest(new URL(path, env.baseUrl), init);
    const response = await handler(req, connection(init.address ?? "203.0.113.7"));
    await assertConforms(req, response.clone());
    return response;
  }

  return {
    deps,
    clock,
    handler,
    request,
    text: async (path, init) => await (await request(path, init)).text(),
    async json(path, init) {
      const response = await request(path, init);
      const { status, headers } = response;
      const text = await response.text();
      return { status, headers, body: text === "" ? null : JSON.parse(text) };
    },
    [Symbol.asyncDispose]() {
      deps.store.close();
      assertEquals([...misfiled], [], "lib/lifetimes.ts lists exactly the keys that expire");
      assertEquals([...overchecked], [], "a KV server would refuse so many checks in one commit");
      return Promise.resolve();
    },
  };
}

/**
 * Records prefixes of keys whose expiry differs from what backups assume, and of keys checked in
 * commits that a KV server would refuse.
 */
function kvInMemory(
  kv: Deno.Kv,
  { misfiled, overchecked }: Record<"misfiled" | "overchecked", Set<string>>,
): Deno.Kv {
  return kvWith(kv, {
    operation(operation) {
      watchChecks(operation, overchecked);
      const set = operation.set.bind(operation);
      operation.set = (key, value, options) => {
        const expires = options?.expireIn !== undefined;
        if (expires !== (lifetimeOf(key) !== undefined)) misfiled.add(String(key[0]));
        return set(key, value, options);
      };
    },
  });
}

/** Makes each of two apps on one KV hear the other's commits, as from another process. */
export function exchangeNews(one: TestApp, other: TestApp): void {
  for (const [from, to] of [[one, other], [other, one]] as const) {
    from.deps.store.subscribe((news) => {
      if (news.foreign) return;
      const { payload: _, ...heard } = { payload: undefined, ...news };
      to.deps.store.tell({ ...heard, foreign: true });
    });
  }
}

function toRequest(url: URL, init: TestRequest): Request {
  const { json, form, address: _address, userAgent, editKey, ...rest } = init;
  const headers = new Headers(init.headers);
  if (!headers.has("user-agent")) headers.set("user-agent", userAgent ?? "curl/8.5.0");
  if (editKey !== undefined) headers.set("x-edit-key", editKey);
  let { body, method } = init;
  if (json !== undefined) {
    body = JSON.stringify(json);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    method ??= "POST";
  }
  if (form !== undefined) {
    body = new URLSearchParams(form).toString();
    headers.set("content-type", "application/x-www-form-urlencoded");
    method ??= "POST";
  }
  return new Request(url, { ...rest, method: method ?? "GET", headers, body });
}

function connection(hostname: string): Deno.ServeHandlerInfo {
  return {
    remoteAddr: { transport: "tcp", hostname, port: 40_000 },
    completed: Promise.resolve(),
  };
}
