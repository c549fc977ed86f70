// A bare server that does one KV atomic per request, the vote of a new voter on one of the listings of a directory's
// file: what KV allows on that data. `raw_kv.ts <KV file> <listings>`
const [file, listings] = Deno.args;
const kv = await Deno.openKv(file!);

Deno.serve(
  { port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1", onListen() {} },
  async () => {
    const slug = `listing-${Math.floor(Math.random() * Number(listings))}`;
    const { ok } = await kv.atomic().set(["listing_votes", slug, crypto.randomUUID()], Date.now())
      .sum(["listing_vote_counts", slug, "up"], 1n).commit();
    return new Response(JSON.stringify({ ok }), {
      headers: { "content-type": "application/json" },
    });
  },
);
