// A bare server that does one KV atomic per request: what the disk and KV allow at best.
const kv = await Deno.openKv(Deno.args[0]!);
let serial = 0;
Deno.serve(
  { port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1", onListen() {} },
  async () => {
    const id = serial++;
    const { ok } = await kv.atomic().set(["votes", "listing", id], Date.now()).sum(["count"], 1n)
      .commit();
    return new Response(JSON.stringify({ ok, id }), {
      headers: { "content-type": "application/json" },
    });
  },
);
