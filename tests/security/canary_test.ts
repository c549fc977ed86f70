import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { utcDay } from "@/lib/clock.ts";
import type { TestRequest } from "../support/app.ts";
import { callReadingTools, crawlSite } from "../support/crawl.ts";
import { callTool } from "../support/mcp.ts";
import { AUCTION_ID, type PaidApp, paidApp } from "../support/payments.ts";

const MAIL = "canary-mailbox@canary-private.com";
const HOOK = "https://canary-private.com/hook";
const AGENT = "Mozilla/5.0 (X11) CanaryBrowser/77.123";
const BOT = "CanaryBot/88.456 (+private)";
const ADDRESSES = ["203.0.113.201", "203.0.113.202", "2001:db8:cafe:77::9"];
const TARGETS = { listing: "canary-one", skill: "canary-skill", auction: AUCTION_ID };
const JSON_TYPE = { "content-type": "application/json" };

/** A response or a log line, and where it came from. */
interface Output {
  from: string;
  text: string;
}

/** A service whose output is recorded, except for responses that show an edit key to its owner. */
interface Stage {
  app: PaidApp;
  outputs: Output[];
  keys: string[];
  send(path: string, init?: TestRequest): Promise<string>;
}

Deno.test("no response, page, feed, tool or log leaks private data or pseudonyms (invariant 10)", async () => {
  const outputs: Output[] = [];
  const restore = captureConsole(outputs);
  try {
    await using app = await paidApp({ env: { LOG_LEVEL: "debug" } });
    const stage = openStage(app, outputs);
    await act(stage);
    assertEquals(outputs.filter(({ from }) => / [45]\d\d$/.test(from)), []);
    await fail(stage);
    const visited = await crawlSite(app, TARGETS, stage.send);
    await callReadingTools(app, TARGETS, {
      as: { userAgent: BOT, address: ADDRESSES[2]! },
      keep: (from, text) => outputs.push({ from, text }),
    });
    await app.deps.traffic.flush();

    assert(visited.size > 80, `the crawl must reach the site, and saw ${visited.size} addresses`);
    assert(outputs.some(({ from }) => from === "log"), "the run must have logged something");
    assertEquals(stage.keys.length, 4);
    const canaries = canariesOf(app, stage.keys);
    assertEquals(leaks(outputs, canaries), []);
    await assertStoredOnlyHashed(stage);
    const planted = leaks([{ from: "a plant", text: `x ${stage.keys[0]} y` }], canaries);
    assertEquals(planted.length, 1, "a planted leak must be found");
  } finally {
    restore();
  }
});

function openStage(app: PaidApp, outputs: Output[]): Stage {
  const keys: string[] = [];
  return {
    app,
    outputs,
    keys,
    async send(path, init = {}) {
      const response = await app.request(path, {
        userAgent: AGENT,
        address: ADDRESSES[0],
        ...init,
      });
      const text = await response.text();
      const method = init.method ?? (init.json || init.form || init.body ? "POST" : "GET");
      const headers = [...response.headers].map((pair) => pair.join(": ")).join("\n");
      const isCreation = method === "POST" && response.status === 201 && text.includes("pik_");
      if (isCreation) {
        // The only response that shows a key: to its owner, once, uncached.
        const found = new Set(text.match(/pik_[\w-]{43}/g));
        assertEquals(found.size, 1, path);
        assertStringIncludes(response.headers.get("cache-control")!, "no-store");
        keys.push(...found);
      }
      const shown = isCreation ? text.replaceAll(keys.at(-1)!, "") : text;
      outputs.push({ from: `${method} ${path} ${response.status}`, text: `${headers}\n${shown}` });
      return text;
    },
  };
}

/** What visitors, agents and owners do, each with something that must stay private. */
async function act(stage: Stage): Promise<void> {
  const { app, send, keys } = stage;
  await send("/api/v1/projects", {
    json: {
      name: "Canary One",
      url: "https://canary-one.com",
      tagline: "Sings in mines",
      description: "A description",
      category: "game",
      builtWith: ["claude"],
      tags: ["bird"],
      contactEmail: MAIL,
      notifyUrl: HOOK,
    },
    headers: { "x-agent-name": "Canary Agent" },
  });
  await send("/submit", {
    form: {
      name: "Canary Two",
      url: "https://canary-two.com",
      tagline: "Sings",
      contactEmail: MAIL,
    },
    address: ADDRESSES[1],
  });
  const result = await callTool(app, "submit_project", {
    name: "Canary Three",
    url: "https://canary-three.com",
    tagline: "Sings through MCP",
    contactEmail: MAIL,
  }, { address: ADDRESSES[2], userAgent: BOT });
  keys.push(result.structuredContent.editKey);
  const text = JSON.stringify(result).replaceAll(keys.at(-1)!, "");
  stage.outputs.push({ from: "submit_project", text });
  await send("/api/v1/skills", {
    json: {
      title: "Canary skill",
      summary: "A skill that sings",
      kind: "skill-md",
      content: "# Sing\n\nSing until the air is bad.",
    },
  });
  const owner = { "x-edit-key": keys[0]!, ...JSON_TYPE };
  const one = "/api/v1/projects/canary-one";
  const patch = { tagline: "Sings in deep mines", contactEmail: `2${MAIL}`, notifyUrl: `${HOOK}2` };
  await send(one, { method: "PATCH", headers: owner, json: patch });
  const fields = { tagline: "Sings in the deepest mines", contactEmail: MAIL };
  const edited = await callTool(app, "update_project", {
    slug: "canary-one",
    editKey: keys[0],
    fields,
  });
  stage.outputs.push({ from: "update_project", text: JSON.stringify(edited) });
  await send("/p/canary-one/edit", {
    form: {
      editKey: keys[0]!,
      name: "Canary One",
      url: "https://canary-one.com",
      tagline: "Sings",
    },
  });
  await send("/api/v1/skills/canary-skill", {
    method: "PATCH",
    headers: { "x-edit-key": keys.at(-1)!, ...JSON_TYPE },
    json: { summary: "A skill that sings well" },
  });
  for (const address of ADDRESSES) {
    const who = { address, userAgent: address === ADDRESSES[1] ? BOT : AGENT };
    await send(`${one}/vote`, { method: "POST", ...who });
    await send(`${one}/vote`, who);
    await send("/votes?listing=canary-one&skill=canary-skill", who);
    await send("/api/v1/skills/canary-skill/vote", { method: "POST", ...who });
    await send("/api/v1/skills/canary-skill/copy", { method: "POST", ...who });
    await send("/go/canary-one", who);
    await send("/api/v1/poll/vote", { json: { candidate: "claude", reason: "It sings" }, ...who });
    await send("/api/v1/poll", who);
  }
  await send("/p/canary-two/vote", { form: { voted: "1" } });
  await send("/api/v1/poll/vote", {
    json: { candidate: "other", writeIn: "Canary 9" },
    headers: { "x-agent-name": "Canary Agent" },
  });
  await send("/api/v1/guestbook", {
    json: { catchphrase: "Tweet", maker: "Anthropic" },
    headers: { "x-agent-name": "Canary Agent" },
  });
  await send("/api/v1/reports", { json: { kind: "listing", slug: "canary-two", reason: "spam" } });
  await send("/api/v1/promote", { json: { slug: "canary-one", tierId: "boost-7" } });
  await send(`/api/v1/auctions/${AUCTION_ID}/bids`, {
    json: { slug: "canary-one", amountCents: 1000 },
  });
  for (const id of [...app.stripe.sessions.keys()]) app.stripe.pay(id);
  await app.deliverAll();
  await send("/api/v1/billing/portal", { headers: owner, json: { slug: "canary-one" } });
}

/** Requests that are rejected or fail: errors and their logs must not repeat what was sent. */
async function fail(stage: Stage): Promise<void> {
  const { app, send, keys } = stage;
  const one = "/api/v1/projects/canary-one";
  const bad = { "x-edit-key": keys[0]!, ...JSON_TYPE };
  await send("/api/v1/projects/canary-two", { method: "PATCH", headers: bad, json: { name: "x" } });
  await send(one, { method: "PATCH", headers: bad, body: `{"contactEmail": "${MAIL}"` });
  await send(one, {
    method: "PATCH",
    headers: bad,
    json: { contactEmail: `${MAIL} no`, slug: "x" },
  });
  await send("/api/v1/projects", {
    json: { name: "Again", url: "https://canary-one.com", tagline: "t", contactEmail: MAIL },
  });
  await send("/api/v1/nothing", { headers: { "x-forwarded-for": ADDRESSES[1]! } });
  await send("/api/v1/billing/portal", {
    headers: { "x-edit-key": keys[1]!, ...JSON_TYPE },
    json: { slug: "canary-one" },
  });
  app.stripe.fail("http_500");
  await send("/api/v1/promote", { json: { slug: "canary-one", tierId: "bump-3" } });
  const { store } = app.deps;
  const transact = store.transact;
  store.transact = () => {
    throw new TypeError("planted failure");
  };
  await send("/api/v1/projects", {
    json: { name: "New", url: "https://canary-new.com", tagline: "t", contactEmail: MAIL },
  });
  await send("/submit", {
    form: { name: "New", url: "https://canary-new.com", tagline: "t" },
  });
  store.transact = transact;
  await send(`${one}/vote`, { method: "DELETE" });
}

/** Every private value and pseudonym of the run, by name. */
function canariesOf(app: PaidApp, keys: readonly string[]): [string, string][] {
  const { identity, env } = app.deps;
  const hashes = keys.flatMap((key) =>
    (["hex", "base64url", "base64"] as const).map((encoding): [string, string] => [
      `${encoding} hash`,
      createHash("sha256").update(key).digest(encoding),
    ])
  );
  const pseudonyms = ADDRESSES.flatMap((address): [string, string][] => {
    const network = identity.network(address);
    return [
      ["network", network],
      ...[AGENT, BOT].map((ua): [string, string] => ["voter", identity.voter(network, ua)]),
      ["agent", identity.agent(network, "canary agent")],
    ];
  }).flatMap(([what, pseudonym]): [string, string][] => {
    const day = utcDay(app.clock.now());
    return [[what, pseudonym], [`${what} of the day`, identity.ofDay(day, pseudonym)]];
  });
  return [
    ["email", "canary-private.com"],
    ["user agent", "CanaryBrowser"],
    ["user agent", "CanaryBot"],
    ["salt", env.hashSalt!],
    ["Stripe key", env.stripeSecretKey!],
    ...env.stripeWebhookSecrets.map((secret): [string, string] => ["webhook secret", secret]),
    ...ADDRESSES.map((address): [string, string] => ["address", address]),
    ["address", "2001:db8:cafe:77"],
    ...keys.map((key): [string, string] => ["edit key", key.slice(4)]),
    ...hashes,
    ...pseudonyms,
  ];
}

/** Which private values were found, and where. */
function leaks(outputs: readonly Output[], canaries: readonly [string, string][]): string[] {
  return outputs.flatMap(({ from, text }) =>
    canaries.filter(([, value]) => text.includes(value)).map(([name, value]) => {
      const at = text.indexOf(value);
      return `${name} in ${from}: …${text.slice(Math.max(0, at - 60), at + 40)}…`;
    })
  );
}

/** Storage itself has no addresses, user agents, salts or keys: only pseudonyms and hashes. */
async function assertStoredOnlyHashed({ app, keys }: Stage): Promise<void> {
  const raw = [...ADDRESSES, "2001:db8:cafe:77", "CanaryBrowser", "CanaryBot", ...keys];
  let entries = 0;
  for await (const { key, value } of app.deps.store.list({ prefix: [] })) {
    entries++;
    const text = Deno.inspect([key, value], { depth: 20, strAbbreviateSize: 100_000 });
    for (const secret of raw) assert(!text.includes(secret), `${secret} in ${Deno.inspect(key)}`);
  }
  assert(entries > 50);
}

/** Records what is logged instead of showing it; returns a function that undoes this. */
function captureConsole(outputs: Output[]): () => void {
  const before = { ...console };
  const keep = (...parts: unknown[]) =>
    void outputs.push({ from: "log", text: parts.map((part) => Deno.inspect(part)).join(" ") });
  Object.assign(console, { log: keep, info: keep, warn: keep, error: keep, debug: keep });
  return () => Object.assign(console, before);
}
