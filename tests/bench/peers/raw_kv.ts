// A bare server that commits one KV atomic operation per request, a new voter's vote on a random
// listing in a directory's file: the most that KV allows on that data.
// `raw_kv.ts <KV file> <listings>`
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
