// A bare server that does one KV atomic per request: what the disk and KV allow at best. Given a number of listings,
// the file is a directory's, and each atomic is the vote of a new voter on one of them: what KV allows on that data,
// with the expiry of a vote, which spares SQLite a page.
const [file, listings] = Deno.args;
const kv = await Deno.openKv(file!);
const expireIn = 1_000 * 365 * 24 * 3_600_000;
let serial = 0;

function operation(): Deno.AtomicOperation {
  if (listings === undefined) {
    return kv.atomic().set(["votes", "listing", serial++], Date.now()).sum(["count"], 1n);
  }
  const slug = `listing-${Math.floor(Math.random() * Number(listings))}`;
  return kv.atomic().set(["listing_votes", slug, crypto.randomUUID()], Date.now(), { expireIn })
    .sum(["listing_vote_counts", slug, "up"], 1n);
}

Deno.serve(
  { port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1", onListen() {} },
  async () => {
    const { ok } = await operation().commit();
    return new Response(JSON.stringify({ ok }), {
      headers: { "content-type": "application/json" },
    });
  },
);
