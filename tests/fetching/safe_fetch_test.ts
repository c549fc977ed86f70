import { assert, assertEquals } from "@std/assert";
import { delay } from "@/lib/clock.ts";
import { findTxt, safeFetch } from "@/lib/fetching/safe_fetch.ts";
import { WebDouble } from "./web_double.ts";

const userAgent = "test-fetcher/1 (+https://projectory.test/help#fetcher)";

const get = (web: WebDouble, url: string, deadlineMs?: number) =>
  safeFetch(web.net, { url, userAgent, deadlineMs });

/** The result of a fetch: its status or its problem. */
async function fate(web: WebDouble, url: string, deadlineMs?: number) {
  const fetched = await get(web, url, deadlineMs);
  return fetched.ok ? fetched.status : fetched.problem;
}

const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("safeFetch connects to the checked address, with the right host, our user agent and no cookies", async () => {
  await using web = new WebDouble();
  web.serve(
    "example.test",
    () => new Response("<title>Hello</title>", { status: 203, headers: { "set-cookie": "a=b" } }),
  );
  const fetched = await get(web, "http://example.test/a?b=c#d");
  assertEquals(fetched, {
    ok: true,
    status: 203,
    url: "http://example.test/a?b=c#d",
    redirects: [],
    body: "<title>Hello</title>",
  });
  assertEquals(web.routes, ["93.184.216.1:80"]);
  const { method, path, headers } = web.requests[0]!;
  assertEquals([method, path], ["GET", "/a?b=c"]);
  assertEquals(headers.get("host"), "example.test");
  assertEquals(headers.get("user-agent"), userAgent);
  assertEquals(headers.get("cookie"), null);
  assertEquals(headers.get("accept-encoding"), "identity");
});

Deno.test("safeFetch refuses anything but http and https on ports 80 and 443 without credentials", async () => {
  await using web = new WebDouble();
  web.serve("example.test", () => new Response("x"));
  for (
    const url of [
      "file:///etc/passwd",
      "ftp://example.test/",
      "gopher://example.test/",
      "data:text/plain,x",
      "javascript:1",
      "http://example.test:8080/",
      "http://example.test:22/",
      "https://example.test:8443/",
      "http://me:secret@example.test/",
      "http://me@example.test/",
      "no address",
      "",
      "//example.test/",
    ]
  ) assertEquals(await fate(web, url), "bad_url", url);
  assertEquals(web.routes, []);
});

/** Non-public addresses, in every way that they can be written. */
const PRIVATE = [
  "127.0.0.1",
  "127.9.9.9",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.0.1",
  "169.254.169.254",
  "100.64.0.1",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "[::1]",
  "[::]",
  "[::127.0.0.1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:169.254.169.254]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[2001:db8::1]",
];

for (const host of PRIVATE) {
  Deno.test(`${host} is refused as an address, behind a name and after a redirect`, async () => {
    await using web = new WebDouble();
    assertEquals(await fate(web, `http://${host}/`), "private_address");
    web.serve(
      "example.test",
      () => new Response(null, { status: 302, headers: { location: `http://${host}/` } }),
    );
    assertEquals(await fate(web, "http://example.test/"), "private_address");
    // A name server returns only plain addresses.
    const plain = new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, "");
    web.names["inside.test"] = [plain];
    web.names["both.test"] = ["93.184.216.1", plain];
    assertEquals(await fate(web, "http://inside.test/"), "private_address");
    assertEquals(await fate(web, "http://both.test/"), "private_address");
    assertEquals(web.routes, ["93.184.216.1:80"]);
  });
}

Deno.test("safeFetch connects to public IPv4 and IPv6 addresses", async () => {
  await using web = new WebDouble();
  web.names["six.test"] = ["2606:2800:220:1::1"];
  assertEquals(await fate(web, "http://six.test/"), "unreachable");
  assertEquals(await fate(web, "http://[2606:2800:220:1::2]/"), "unreachable");
  assertEquals(await fate(web, "http://93.184.216.200/"), "unreachable");
  assertEquals(web.routes, [
    "2606:2800:220:1::1:80",
    "2606:2800:220:1::2:80",
    "93.184.216.200:80",
  ]);
});

Deno.test("a name is resolved only once per request (DNS rebinding)", async () => {
  await using web = new WebDouble();
  web.serve("example.test", () => new Response("public"));
  const [address] = web.names["example.test"] as string[];
  let asked = 0;
  web.names["example.test"] = () => asked++ === 0 ? [address!] : ["127.0.0.1"];
  const fetched = await get(web, "http://example.test/");
  assertEquals([fetched.ok && fetched.body, asked], ["public", 1]);
  // A redirect to the same host is a new request, so its address is checked again.
  asked = 0;
  web.serve("loop.test", () => Response.redirect("http://loop.test/again"));
  const [own] = web.names["loop.test"] as string[];
  web.names["loop.test"] = () => asked++ === 0 ? [own!] : ["127.0.0.1"];
  assertEquals(await fate(web, "http://loop.test/"), "private_address");
});

Deno.test("up to five redirects are followed, and their statuses are recorded", async () => {
  await using web = new WebDouble();
  web.serve("example.test", ({ url }) => {
    const left = Number(new URL(url).pathname.slice(1));
    const status = left % 2 === 0 ? 301 : 307;
    return left === 0
      ? new Response("there")
      : new Response(null, { status, headers: { location: `/${left - 1}` } });
  });
  const five = await get(web, "http://example.test/5");
  assertEquals(five.ok && [five.url, five.redirects, five.body], [
    "http://example.test/0",
    [307, 301, 307, 301, 307],
    "there",
  ]);
  assertEquals(await fate(web, "http://example.test/6"), "too_many_redirects");
  web.serve(
    "odd.test",
    () => new Response(null, { status: 302, headers: { location: "file:///etc/passwd" } }),
  );
  assertEquals(await fate(web, "http://odd.test/"), "bad_url");
  web.serve("none.test", () => new Response("no place", { status: 302 }));
  assertEquals(await fate(web, "http://none.test/"), 302);
});

Deno.test("a redirect may name its address in UTF-8, as browsers read it", async () => {
  await using web = new WebDouble();
  web.serveRaw("example.test", async (connection) => {
    await connection.read(new Uint8Array(4096));
    const headers = "Location: http://other.test/café?q=ü\r\nContent-Length: 0";
    await connection.write(encode(`HTTP/1.1 302 Found\r\n${headers}\r\n\r\n`));
    connection.close();
  });
  web.serve("other.test", () => new Response("here"));
  const fetched = await get(web, "http://example.test/");
  assertEquals(fetched.ok && fetched.url, "http://other.test/caf%C3%A9?q=%C3%BC");
  assertEquals(web.requests[0]!.path, "/caf%C3%A9?q=%C3%BC");
});

Deno.test("a certificate must be trusted and match the host name", async () => {
  await using web = new WebDouble();
  await web.serveTls("example.test", () => new Response("mine"));
  web.names["other.test"] = web.names["example.test"]!;
  const fetched = await get(web, "https://example.test/");
  assertEquals(fetched.ok && fetched.body, "mine");
  assertEquals(await fate(web, "https://other.test/"), "bad_certificate");
  web.net.ca = undefined;
  assertEquals(await fate(web, "https://example.test/"), "bad_certificate");
});

Deno.test("an endless body is read up to 1 MiB", async () => {
  await using web = new WebDouble();
  let sent = 0;
  web.serve("example.test", () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += 65_536;
          controller.enqueue(new Uint8Array(65_536).fill(120));
        },
      }),
    ));
  const fetched = await get(web, "http://example.test/");
  assertEquals(fetched.ok && fetched.body, "x".repeat(1024 * 1024));
  await delay(100);
  assert(sent < 16 * 1024 * 1024, `${sent} bytes`);
});

Deno.test("a compressed body is never decompressed (gzip bombs)", async () => {
  await using web = new WebDouble();
  const zeros = new Blob([new Uint8Array(8 * 1024 * 1024)]).stream();
  const bomb = await new Response(zeros.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
  web.serveRaw("example.test", async (connection) => {
    await connection.read(new Uint8Array(4096));
    await connection.write(
      encode(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.byteLength}\r\n\r\n`,
      ),
    );
    await connection.write(new Uint8Array(bomb));
  });
  const fetched = await get(web, "http://example.test/");
  assertEquals(fetched.ok && [fetched.status, fetched.body], [200, null]);
});

/** Hosts that stall before the headers, in them, or in the body. */
const SLOW: Record<string, (connection: Deno.TcpConn) => Promise<unknown>> = {
  "never responds": () => delay(60_000),
  "sends one header at a time": async (connection) => {
    await connection.write(encode("HTTP/1.1 200 OK\r\n"));
    for (let i = 0;; i++) {
      await connection.write(encode(`X-${i}: y\r\n`));
      await delay(20);
    }
  },
  "sends one byte at a time": async (connection) => {
    await connection.write(encode("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"));
    for (;;) {
      await connection.write(encode("x"));
      await delay(20);
    }
  },
};

for (const [what, speak] of Object.entries(SLOW)) {
  Deno.test({
    name: `a host that ${what} times out`,
    // The double keeps waiting for a moment.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      await using web = new WebDouble();
      web.serveRaw("example.test", speak);
      assertEquals(await fate(web, "http://example.test/", 300), "timeout");
    },
  });
}

Deno.test("a name server that never responds times out", async () => {
  await using web = new WebDouble();
  web.net.addressesOf = () => new Promise(() => {});
  assertEquals(await fate(web, "http://example.test/", 100), "timeout");
});

/** Invalid responses. */
const BROKEN: Record<string, string> = {
  "nothing": "",
  "non-HTTP data": "SSH-2.0-OpenSSH_9.6\r\n",
  "half a body": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
  "an upgrade":
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  "two lengths": "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
};

for (const [what, text] of Object.entries(BROKEN)) {
  Deno.test(`a host that responds with ${what} is unreachable`, async () => {
    await using web = new WebDouble();
    web.serveRaw("example.test", async (connection) => {
      await connection.read(new Uint8Array(4096));
      if (text !== "") await connection.write(encode(text));
      connection.close();
    });
    assertEquals(await fate(web, "http://example.test/", 2_000), "unreachable");
  });
}

Deno.test("any status is a valid response, but a name without addresses isn't", async () => {
  await using web = new WebDouble();
  web.serve(
    "example.test",
    ({ url }) => new Response("x", { status: Number(new URL(url).pathname.slice(1)) }),
  );
  for (const status of [200, 401, 403, 404, 410, 429, 500, 503]) {
    assertEquals(await fate(web, `http://example.test/${status}`), status);
  }
  assertEquals(await fate(web, "http://nobody.test/"), "no_address");
  web.names["empty.test"] = [];
  assertEquals(await fate(web, "http://empty.test/"), "no_address");
});

Deno.test("TXT records are joined from their parts, and a name without any has none", async () => {
  await using web = new WebDouble();
  web.txt["example.test"] = [["one"], ["projectory-", "verification=x"]];
  assertEquals(await findTxt(web.net, "example.test"), {
    ok: true,
    records: ["one", "projectory-verification=x"],
  });
  assertEquals(await findTxt(web.net, "nobody.test"), { ok: true, records: [] });
  web.net.txtOf = () => Promise.reject(new Error("broken"));
  assertEquals(await findTxt(web.net, "example.test"), { ok: false, problem: "unreachable" });
});
