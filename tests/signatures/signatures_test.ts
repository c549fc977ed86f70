import { assertEquals } from "@std/assert";
import { createSignature, verifySignature, webcrypto } from "http-message-sig";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/clock.ts";
import { Store } from "@/lib/kv/store.ts";
import { Signatures } from "@/lib/signatures/signatures.ts";
import { createUrls } from "@/lib/urls.ts";
import { fixedClock } from "../support/fixed_clock.ts";
import { kvWith } from "../support/kv_with.ts";
import { DIRECTORY, directoryFetcher, signed, TEST_JWK, thumbprint } from "./signed.ts";

const NOW = Date.parse("2026-03-04T12:00:00Z");
const BASE = "https://projectory.test";
const PATH = "/api/v1/guestbook";

async function world(
  bodies: Record<string, string | undefined> = { "agent.example": DIRECTORY },
  { base = BASE, now = NOW } = {},
) {
  const { fetcher, asked } = directoryFetcher(bodies);
  const clock = fixedClock(now);
  const store = new Store(await Deno.openKv(":memory:"), clock);
  const signatures = new Signatures({ clock, store, urls: createUrls(base), fetcher });
  return {
    clock,
    asked,
    fetcher,
    store,
    bodies,
    ask: (headers: HeadersInit, path = PATH, method = "POST") =>
      signatures.signerOf({ method, path, headers: new Headers(headers) }),
    [Symbol.dispose]: () => store.close(),
  };
}

const importKey = (usage: "sign" | "verify") => {
  const { d, ...jwk } = TEST_JWK;
  return crypto.subtle.importKey("jwk", usage === "sign" ? { ...jwk, d } : jwk, "Ed25519", true, [
    usage,
  ]);
};

/** Signs as in drafts newer than the library: Signature-Agent is a dictionary, signed by its key. */
async function signedByKey(
  changes: {
    components?: (string | { name: string; parameters: Record<string, string> })[];
    parameters?: Record<string, string | number | undefined>;
  } = {},
): Promise<Record<string, string>> {
  const created = NOW / 1_000;
  const agent = 'sig1="https://agent.example"';
  const { signature, signatureInput } = await createSignature({
    kind: "request",
    method: "POST",
    targetUri: BASE + PATH,
    fields: [{ name: "signature-agent", value: agent }],
  }, {
    label: "sig1",
    components: changes.components ??
      ["@authority", { name: "signature-agent", parameters: { key: "sig1" } }],
    parameters: {
      created,
      expires: created + 300,
      keyid: thumbprint(TEST_JWK),
      tag: "web-bot-auth",
      ...changes.parameters,
    },
    signer: webcrypto.signer(await importKey("sign")),
  });
  return { "signature-agent": agent, signature, "signature-input": signatureInput };
}

Deno.test("a request signed by the npm library web-bot-auth belongs to the host that publishes the key", async () => {
  using at = await world();
  const headers = await signed(BASE + PATH, { now: NOW });
  assertEquals(await at.ask(headers), "agent.example");
  assertEquals(at.asked, [
    "https://agent.example/.well-known/http-message-signatures-directory",
  ]);
});

Deno.test("Signature-Agent can be a dictionary, signed by the key of its member", async () => {
  using at = await world();
  assertEquals(await at.ask(await signedByKey()), "agent.example");
  // Signatures for other purposes can be sent along with it.
  const headers = await signedByKey({ parameters: { nonce: "other" } });
  headers["signature-input"] = `a=("@method");created=1, ${headers["signature-input"]}`;
  headers.signature = `a=:AAAA:, ${headers.signature}`;
  assertEquals(await at.ask(headers), "agent.example");
});

Deno.test("a replayed, expired, early, old or foreign signature is ignored", async () => {
  using at = await world({ "agent.example": DIRECTORY, "empty.example": '{"keys":[]}' });
  const good = await signed(BASE + PATH, { now: NOW });
  assertEquals([await at.ask(good), await at.ask(good)], ["agent.example", null], "replayed");
  const refused: [string, Promise<Record<string, string>>][] = [
    ["expired", signed(BASE + PATH, { now: NOW - 10 * MINUTE_MS })],
    ["from the future", signed(BASE + PATH, { now: NOW + 10 * MINUTE_MS })],
    ["older than a day", signed(BASE + PATH, { now: NOW - 2 * DAY_MS, seconds: 9 * 86_400 })],
    ["for another host", signed(`https://other.test${PATH}`, { now: NOW })],
    [
      "of a host without the key",
      signed(BASE + PATH, { now: NOW, agent: "https://empty.example" }),
    ],
    ["of a host that is down", signed(BASE + PATH, { now: NOW, agent: "https://away.example" })],
    ["without TLS", signed(BASE + PATH, { now: NOW, agent: "http://agent.example" })],
    ["of a port", signed(BASE + PATH, { now: NOW, agent: "https://agent.example:8443" })],
    ["of a path", signed(BASE + PATH, { now: NOW, agent: "https://agent.example/card" })],
    ["of no address", signed(BASE + PATH, { now: NOW, agent: "agent.example" })],
    ["for another purpose", signedByKey({ parameters: { tag: "other" } })],
    ["without an end", signedByKey({ parameters: { expires: undefined } })],
    ["without a key's name", signedByKey({ parameters: { keyid: undefined } })],
    ["by another key", signedByKey({ parameters: { keyid: "A".repeat(43) } })],
    ["that does not cover Signature-Agent", signedByKey({ components: ["@authority"] })],
    [
      "that does not cover the host",
      signedByKey({ components: [{ name: "signature-agent", parameters: { key: "sig1" } }] }),
    ],
  ];
  for (const [what, headers] of refused) assertEquals(await at.ask(await headers), null, what);
});

Deno.test("a signature changed in any part is ignored", async () => {
  using at = await world();
  const good = await signedByKey();
  const changes: [string, string][] = [
    ["signature-agent", 'sig1="https://evil.example"'],
    ["signature-agent", ""],
    ["signature-input", good["signature-input"]!.replace("created=", "created=1")],
    ["signature-input", good["signature-input"]!.replace("sig1", "sig2")],
    ["signature-input", "sig1"],
    ["signature-input", "(((("],
    ["signature", good.signature!.replace(/[A-Za-z](?=[^A-Za-z]*:$)/, "!")],
    ["signature", "sig1=:AAAA:"],
    ["signature", ""],
    ["signature", "é"],
  ];
  for (const [name, value] of changes) {
    assertEquals(await at.ask({ ...good, [name]: value }), null, `${name}: ${value}`);
  }
  assertEquals(await at.ask(good), "agent.example", "it was not used up");
});

Deno.test("a directory with invalid content is no error", async () => {
  for (
    const body of ["", "[]", "null", "{", '{"keys":{}}', '{"keys":[null,1,{"kty":"OKP"}]}', "\0"]
  ) {
    using at = await world({ "agent.example": body });
    assertEquals(await at.ask(await signed(BASE + PATH, { now: NOW })), null, body);
  }
});

Deno.test("directories are read hourly, every minute for a missing key, and up to 200 in an hour", async () => {
  const bodies: Record<string, string | undefined> = { "agent.example": DIRECTORY };
  using at = await world(bodies);
  const ask = async (agent = "https://agent.example") =>
    await at.ask(await signed(BASE + PATH, { now: at.clock.now(), agent }));
  await ask();
  at.clock.advance(HOUR_MS - 1);
  assertEquals([await ask(), at.asked.length], ["agent.example", 1]);
  at.clock.advance(2);
  assertEquals([await ask(), at.asked.length], ["agent.example", 2]);
  await ask("https://late.example");
  bodies["late.example"] = DIRECTORY;
  assertEquals([await ask("https://late.example"), at.asked.length], [null, 3]);
  at.clock.advance(MINUTE_MS);
  assertEquals([await ask("https://late.example"), at.asked.length], ["late.example", 4]);
  at.clock.advance(2 * HOUR_MS);
  const before = at.asked.length;
  for (let i = 0; i < 210; i++) await ask(`https://h${i}.example`);
  assertEquals(at.asked.length - before, 200);
});

Deno.test("requests that need a directory at the same time share one read", async () => {
  using at = await world();
  const ask = async (nonce: string) => at.ask(await signedByKey({ parameters: { nonce } }));
  assertEquals(await Promise.all(["a", "b", "c"].map(ask)), Array(3).fill("agent.example"));
  assertEquals(at.asked.length, 1);
});

Deno.test("a directory that can't be read again keeps its keys for its hour", async () => {
  const bodies: Record<string, string | undefined> = { "agent.example": DIRECTORY };
  using at = await world(bodies);
  const ask = async () => await at.ask(await signed(BASE + PATH, { now: at.clock.now() }));
  const askUnknown = async () =>
    await at.ask(await signedByKey({ parameters: { keyid: "A".repeat(43) } }));
  assertEquals(await ask(), "agent.example");
  bodies["agent.example"] = undefined;
  at.clock.advance(MINUTE_MS);
  assertEquals([await askUnknown(), await askUnknown(), at.asked.length], [null, null, 2]);
  assertEquals([await ask(), at.asked.length], ["agent.example", 2]);
  at.clock.advance(HOUR_MS - MINUTE_MS);
  assertEquals([await ask(), at.asked.length], [null, 3]);
});

for (const status of [429, 503]) {
  Deno.test(`a directory keeps its keys if its host answers ${status}, but not if it is gone`, async () => {
    using at = await world();
    const ask = async () => await at.ask(await signed(BASE + PATH, { now: at.clock.now() }));
    const askUnknown = async () =>
      await at.ask(await signedByKey({ parameters: { keyid: "A".repeat(43) } }));
    assertEquals(await ask(), "agent.example");
    for (const [answer, signer] of [[status, "agent.example"], [404, null]] as const) {
      at.clock.advance(MINUTE_MS);
      at.fetcher.get = (url) =>
        Promise.resolve({ ok: true, status: answer, url, redirects: [], body: "" });
      assertEquals([await askUnknown(), await ask()], [null, signer]);
    }
  });
}

Deno.test("a signature is remembered for as long as it is valid, even if it is dated a minute ahead", async () => {
  for (const seconds of [300, 2 * 86_400]) {
    using at = await world();
    let lifetime = 0;
    const store = new Store(
      kvWith(at.store.kv, {
        operation(operation) {
          const set = operation.set.bind(operation);
          operation.set = (key, value, options) => {
            lifetime = Math.max(lifetime, options?.expireIn ?? 0);
            return set(key, value, options);
          };
        },
      }),
      at.clock,
    );
    const headers = await signed(BASE + PATH, { now: NOW + MINUTE_MS, seconds });
    const request = { method: "POST", path: PATH, headers: new Headers(headers) };
    const { clock, fetcher } = at;
    const signatures = new Signatures({ clock, store, urls: createUrls(BASE), fetcher });
    assertEquals(await signatures.signerOf(request), "agent.example");
    using later = await world(at.bodies, { now: NOW + lifetime });
    assertEquals(await later.ask(headers), null, `${seconds}`);
  }
});

Deno.test("without a fetcher nothing counts as signed, and a storage failure is no error", async () => {
  using at = await world();
  const headers = await signed(BASE + PATH, { now: NOW });
  const { clock, fetcher } = at;
  const urls = createUrls(BASE);
  const away = { transact: () => Promise.reject(new Error("away")) } as unknown as Store;
  const request = { method: "POST", path: PATH, headers: new Headers(headers) };
  for (const parts of [{ store: at.store, fetcher: null }, { store: away, fetcher }]) {
    assertEquals(await new Signatures({ clock, urls, ...parts }).signerOf(request), null);
  }
});

/**
 * Appendix A.2 of the Web Bot Auth draft (A.2.1, A.2.3), and the vector with a dictionary that it
 * points to, all for https://example.com with the test key of RFC 9421.
 */
const SIGNED_AT = 1_735_689_600_000;
const DRAFT_VECTORS: { agent?: string; input: string; signature: string }[] = [{
  input:
    'sig1=("@authority");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="g0iqFa9e1ffijlyOScDkXpfSmTbYpRNSGPJrQ1It20ahwgzB3jOUcdgLgFxUg7RMtW4V8IILaKKtA+YuSyIgJQ==";tag="web-bot-auth"',
  signature:
    "sig1=:FFASViSdcgsyaqqYiCnkHreeZzbNKcTzDvZC5uVlP/dn9IbWj8j0o4wKFTH3rBnUiSUBduwm1Gp5VlIPCp01Ag==:",
}, {
  agent: '"https://signature-agent.test"',
  input:
    'sig2=("@authority" "signature-agent");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=1735693200;nonce="e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==";tag="web-bot-auth"',
  signature:
    "sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:",
}, {
  agent: 'agent2="https://signature-agent.test"',
  input:
    'sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"',
  signature:
    "sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:",
}];

Deno.test("the Web Bot Auth draft's vectors verify for the agent that they sign, once and unchanged", async () => {
  const directories = { "signature-agent.test": DIRECTORY };
  for (const { agent, input, signature } of DRAFT_VECTORS) {
    const asked = async (
      changes: Record<string, string> = {},
      { times = 1, base = "https://example.com", now = SIGNED_AT } = {},
    ) => {
      using at = await world(directories, { base, now });
      const headers = { "signature-input": input, signature, "signature-agent": agent ?? "" };
      for (let i = 1; i < times; i++) await at.ask(headers);
      return await at.ask({ ...headers, ...changes }, "/path/to/resource", "GET");
    };
    assertEquals(await asked(), agent === undefined ? null : "signature-agent.test", input);
    const hostile: (string | null)[] = [
      await asked({}, { times: 2 }),
      await asked({}, { base: "https://example.org" }),
      await asked({}, { now: SIGNED_AT + 2 * DAY_MS }),
      await asked({ "signature-input": input.replace("@authority", "@method") }),
      await asked({ "signature-input": input.replace("ed25519", "hmac-sha256") }),
      await asked({ "signature-input": input.replace("ed25519", "rsa-pss-sha512") }),
      await asked({ "signature-input": input.replace("nonce=", "other=") }),
      await asked({ "signature-agent": (agent ?? "").replace("signature-agent", "evil") }),
    ];
    assertEquals(hostile, hostile.map(() => null), input);
  }
  // A name added to a request that doesn't sign one isn't trusted.
  using at = await world(directories, { base: "https://example.com", now: SIGNED_AT });
  const { input, signature } = DRAFT_VECTORS[0]!;
  const added = { "signature-agent": '"https://signature-agent.test"' };
  assertEquals(await at.ask({ "signature-input": input, signature, ...added }), null);
});

/** Appendix B.2.6 of RFC 9421: signing a request using ed25519. */
Deno.test("the Ed25519 vector of RFC 9421 verifies and is reproduced byte for byte", async () => {
  const request = {
    kind: "request",
    method: "POST",
    targetUri: "https://example.com/foo?param=Value&Pet=dog",
    fields: [
      { name: "Host", value: "example.com" },
      { name: "Date", value: "Tue, 20 Apr 2021 02:07:55 GMT" },
      { name: "Content-Type", value: "application/json" },
      { name: "Content-Length", value: "18" },
    ],
  } as const;
  const input =
    '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"';
  const signature =
    "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==";
  const fields = [
    ...request.fields,
    { name: "Signature-Input", value: `sig-b26=${input}` },
    { name: "Signature", value: `sig-b26=:${signature}:` },
  ];
  const policy = {
    algorithms: ["ed25519"],
    requiredComponents: [],
    requiredParameters: ["created"],
    now: 1618884473,
  } as const;
  const verifier = webcrypto.verifier(await importKey("verify"));
  const resolveVerifier = () => verifier;
  const verified = await verifySignature({ ...request, fields }, { policy, resolveVerifier });
  assertEquals(verified.parameters.keyid, "test-key-ed25519");
  const made = await createSignature(request, {
    label: "sig-b26",
    components: ["date", "@method", "@path", "@authority", "content-type", "content-length"],
    parameters: { created: 1618884473, keyid: "test-key-ed25519" },
    signer: webcrypto.signer(await importKey("sign")),
  });
  assertEquals(made, { signature: `sig-b26=:${signature}:`, signatureInput: `sig-b26=${input}` });
  const forged = fields.map((field) =>
    field.name === "Date" ? { ...field, value: "Today" } : field
  );
  const failed = await verifySignature({ ...request, fields: forged }, { policy, resolveVerifier })
    .catch(({ code }) => code);
  assertEquals(failed, "VerificationFailed");
});
