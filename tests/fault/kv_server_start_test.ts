import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { SettingError } from "@/lib/env.ts";
import { openKv } from "@/lib/kv/open.ts";
import { inFolder } from "../support/folder.ts";
import { freePort } from "../support/free_port.ts";
import { startKvServer, TOKEN } from "../support/kv_connect.ts";
import { buildSite, removeBuild, taskArgs } from "../support/server.ts";
import { TEST_SETTINGS } from "../support/settings.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A loopback server that gives the same response to everything. */
function answering(respond: () => Response): { url: string } & AsyncDisposable {
  const at = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  const server = Deno.serve(at, respond);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const refusing = () => answering(() => new Response(null, { status: 401 }));

/** Gives its endpoints to anyone, and refuses requests there. */
function refusingReads() {
  const reads = refusing();
  const metadata = answering(() =>
    Response.json({
      version: 3,
      databaseId: "11111111-1111-4111-8111-111111111111",
      endpoints: [{ url: `${reads.url}/v3`, consistency: "strong" }],
      token: TOKEN,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
  );
  return {
    url: metadata.url,
    async [Symbol.asyncDispose]() {
      await metadata[Symbol.asyncDispose]();
      await reads[Symbol.asyncDispose]();
    },
  };
}

const away = (url: string) => ({ url, [Symbol.asyncDispose]: () => Promise.resolve() });

const CAUSES: [string, () => { url: string } & AsyncDisposable, string][] = [
  [
    "is unreachable",
    () => away(`http://127.0.0.1:${freePort()}`),
    "start it, or correct the address",
  ],
  ["refuses the token", refusing, "rejects DENO_KV_ACCESS_TOKEN"],
  ["refuses the token at its data endpoint", refusingReads, "rejects DENO_KV_ACCESS_TOKEN"],
  ["is a website", () => answering(() => new Response("<html>")), "no KV server"],
  ["is another API", () => answering(() => Response.json({})), "no KV server"],
  ["has no such path", () => answering(() => new Response("", { status: 404 })), "no KV server"],
  ["has no TLS", () => {
    const plain = answering(() => new Response());
    return { ...plain, url: plain.url.replace("http:", "https:") };
  }, "the server there has no trusted TLS certificate"],
  ["fails", () => answering(() => new Response("", { status: 500 })), "500"],
  // A name with a 64-letter label fails without any resolver.
  [
    "has an unknown host name",
    () => away(`http://${"k".repeat(64)}.example`),
    "there is no such host",
  ],
];

for (const [what, start, advice] of CAUSES) {
  Deno.test(`openKv says in one line what to do if the KV server ${what}`, async () => {
    Deno.env.set("DENO_KV_ACCESS_TOKEN", TOKEN);
    await using server = start();
    const error = await assertRejects(() => openKv({ kvPath: server.url }), SettingError);
    assert(/^Bad setting: KV_PATH [^\n]+$/.test(error.message), error.message);
    assertStringIncludes(error.message, advice);
    assert(!error.message.includes(TOKEN));
  });
}

/** Runs a task until it exits. */
async function run(
  task: string,
  options: { folder: string; kvPath: string; token?: string | null; args?: string[] },
): Promise<{ code: number; said: string }> {
  const { DENO_KV_ACCESS_TOKEN: _shared, ...inherited } = Deno.env.toObject();
  const { token = TOKEN } = options;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...await taskArgs(task, options.folder), ...options.args ?? []],
    cwd: root,
    clearEnv: true,
    env: {
      ...inherited,
      ...(token === null ? {} : { DENO_KV_ACCESS_TOKEN: token }),
      PORT: String(freePort()),
      KV_PATH: options.kvPath,
      HASH_SALT: TEST_SETTINGS.HASH_SALT,
      NO_COLOR: "1",
    },
  }).output();
  return { code, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

Deno.test("a command reports a missing token", async () => {
  await inFolder(async (folder) => {
    const options = { folder, kvPath: "http://127.0.0.1:9", token: null, args: ["status"] };
    const { code, said } = await run("operator", options);
    assertEquals(code, 1, said);
    assertStringIncludes(said, "set DENO_KV_ACCESS_TOKEN to the token of the KV server");
  });
});

Deno.test("servers and commands exit with status 1 and one line if the KV server is unreachable", async () => {
  await inFolder(async (folder) => {
    const build = await buildSite();
    const kvPath = `http://127.0.0.1:${freePort()}`;
    const tasks: [string, ...string[]][] = [
      ["serve:remote", build],
      ["operator", "status"],
      ["operator", "review", "on", "--json"],
      ["backup", `${folder}/new.sqlite3`],
      ["verify"],
    ];
    await Promise.all(tasks.map(async ([task, ...args]) => {
      const { code, said } = await run(task, { folder, kvPath, args });
      assertEquals(code, 1, said);
      assert(/^(?:Refused: )?Bad setting: KV_PATH [^\n]+ start it, or [^\n]+\n$/.test(said), said);
      assert(!said.includes(TOKEN));
    }));
    assertEquals((await Array.fromAsync(Deno.readDir(folder))).length, 0, "nothing is left behind");
    const { code, said } = await run("serve", {
      folder,
      kvPath: "http://kv.example",
      args: [build],
    });
    assertEquals(code, 1);
    assertStringIncludes(said, "use `deno task serve:remote`\n");
  });
});

Deno.test("a KV server that fails during startup or backup ends it with one clear line", async () => {
  await inFolder(async (folder) => {
    const build = await buildSite();
    const cases: [string, RegExp, ...string[]][] = [
      ["serve:remote", /^Cannot start: KV failed: [^\n]*401[^\n]*\n$/, build],
      ["backup", /^Refused: Copying failed: [^\n]*401[^\n]*\n$/, `${folder}/new.sqlite3`],
    ];
    for (const [task, line, ...args] of cases) {
      // The first read belongs to opening.
      await using kvServer = startKvServer({ reads: 1 });
      const token = kvServer.token;
      const { code, said } = await run(task, { folder, kvPath: kvServer.url, token, args });
      assertEquals(code, 1);
      // Deno itself reports each failed response.
      const own = said.split("\n").filter((line) => !line.startsWith("KV Connect failed"));
      assert(line.test(own.join("\n")), said);
    }
  });
});

Deno.test.afterAll(removeBuild);
