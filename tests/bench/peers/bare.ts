// Bare `Deno.serve` that answers every request with the same bytes and headers, as a string.
const { status, headers, body } = JSON.parse(await Deno.readTextFile(Deno.args[0]!));
Deno.serve(
  { port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1", onListen() {} },
  () => new Response(body, { status, headers }),
);
