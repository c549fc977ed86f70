// Bare `Deno.serve` beside raw KV in one process: GET answers the bytes of a file, anything else does one KV atomic.
// What lists may lose while others vote shows here without any code of ours. `bare_and_kv.ts <answer> <KV file>`
const { status, headers, body } = JSON.parse(await Deno.readTextFile(Deno.args[0]!));
const kv = await Deno.openKv(Deno.args[1]!);
let serial = 0;
Deno.serve(
  { port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1", onListen() {} },
  async (req) => {
    if (req.method === "GET") return new Response(body, { status, headers });
    const id = serial++;
    const { ok } = await kv.atomic().set(["votes", "listing", id], Date.now()).sum(["count"], 1n)
      .commit();
    return new Response(JSON.stringify({ ok, id }));
  },
);
