import { assert, assertEquals, assertMatch } from "@std/assert";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { sendMail } from "@/lib/fetching/mail.ts";

const read = (name: string) =>
  Deno.readTextFile(new URL(`./certificates/${name}`, import.meta.url));
const cert = await read("example.test.pem");
const key = await read("example.test.key.pem");

/** A mail server that records what it receives, and whether it was encrypted. */
async function mailServer(options: SMTPServerOptions, address = "127.0.0.2") {
  const told: string[] = [];
  const server = new SMTPServer({
    allowInsecureAuth: true,
    onAuth({ username, password }, { secure }, done) {
      told.push(`${username}:${password} ${secure ? "encrypted" : "in the clear"}`);
      done(null, { user: username });
    },
    async onData(stream, { secure }, done) {
      for await (const _ of stream);
      told.push(`message ${secure ? "encrypted" : "in the clear"}`);
      done();
    },
    ...options,
    // Its types lack the options that it passes to TLS.
    ...{ cert, key },
  });
  // A client that doesn't trust the certificate hangs up.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.server.address() as { port: number };
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  return { told, host: `${address}:${port}`, [Symbol.asyncDispose]: close };
}

const send = (smtpUrl: string) =>
  sendMail({
    smtpUrl,
    host: "projectory.test",
    from: { name: "Projectory", address: "hello@projectory.test" },
    to: "ada@inkwell.test",
    subject: "Hidden",
    text: "We hid it.",
    messageId: "m1",
    date: "2026-03-04T12:00:00.000Z",
    unsubscribeUrl: "http://projectory.test/unsubscribe?token=x",
  });

Deno.test("an email's headers have the event's date in mail format and the unsubscribe link", async () => {
  let message = "";
  await using server = await mailServer({
    authOptional: true,
    async onData(stream, _, done) {
      for await (const part of stream) message += part;
      done();
    },
  }, "127.0.0.1");
  assertEquals(await send(`smtp://${server.host}`), { ok: true });
  const unfolded = message.replace(/\r\n\s/g, " ");
  assertMatch(unfolded, /^Date: Wed, 04 Mar 2026 12:00:00 \+0000\r$/m);
  assertMatch(unfolded, /^Message-ID: <m1@projectory\.test>\r$/m);
  assertMatch(
    unfolded,
    /^List-Unsubscribe: +<http:\/\/projectory\.test\/unsubscribe\?token=x>\r$/m,
  );
  assertMatch(unfolded, /^From: Projectory <hello@projectory\.test>\r$/m);
});

/** Settings that trust the self-signed certificate for its own name. */
const TRUSTED = `?tls.servername=example.test&tls.ca=${encodeURIComponent(cert)}`;

for (const [scheme, secure] of [["smtps", true], ["smtp", false]] as const) {
  const way = secure ? "smtps://" : "STARTTLS";
  Deno.test(`mail over ${way} is encrypted, including the password`, async () => {
    await using server = await mailServer({ secure });
    assertEquals(await send(`${scheme}://ada:secret@${server.host}/${TRUSTED}`), { ok: true });
    assertEquals(server.told, ["ada:secret encrypted", "message encrypted"]);
  });

  Deno.test(`over ${way}, nothing is sent to a mail server with an untrusted certificate, and it can be retried`, async () => {
    await using server = await mailServer({ secure });
    const mailed = await send(`${scheme}://ada:secret@${server.host}`);
    assert(!mailed.ok && !mailed.isFinal);
    assertEquals(server.told, []);
  });
}

for (const password of ["", "ada:secret@"]) {
  Deno.test(`this machine's own mail server may have any certificate, ${password ? "with" : "without"} a password`, async () => {
    await using server = await mailServer({ authOptional: true }, "127.0.0.1");
    assertEquals(await send(`smtp://${password}${server.host}`), { ok: true });
    assertMatch(server.told.at(-1)!, /^message/);
  });
}

Deno.test("the password isn't sent to a mail server without encryption", async () => {
  await using server = await mailServer({ disabledCommands: ["STARTTLS"] });
  const mailed = await send(`smtp://ada:secret@${server.host}`);
  assert(!mailed.ok && !mailed.isFinal);
  assertEquals(server.told, []);
});

for (
  const [what, options] of [
    ["asks for a password", {}],
    ["refuses the sender", {
      authOptional: true,
      onMailFrom: (_address, _session, done) =>
        done(Object.assign(new Error("not your address"), { responseCode: 553 })),
    }],
    // As Postfix does.
    ["refuses the sender only once it knows the recipient", {
      authOptional: true,
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error("5.7.1 not your address"), { responseCode: 553 })),
    }],
    ["refuses the sender only once it has the message", {
      authOptional: true,
      async onData(stream, _, done) {
        for await (const _ of stream);
        done(Object.assign(new Error("5.7.1 not your domain"), { responseCode: 550 }));
      },
    }],
  ] as [string, SMTPServerOptions][]
) {
  Deno.test(`a message can be retried if the mail server ${what}, since that concerns all messages`, async () => {
    await using server = await mailServer({ disabledCommands: ["STARTTLS"], ...options });
    const mailed = await send(`smtp://${server.host}`);
    const isKept = !mailed.ok && /^SMTP 5/.test(mailed.problem) && !mailed.isFinal;
    assert(isKept, JSON.stringify(mailed));
    assertEquals(server.told, []);
  });
}

Deno.test("a message that the mail server refuses because of its recipient is not retried", async () => {
  await using server = await mailServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error("5.1.1 no such user"), { responseCode: 550 })),
  });
  const mailed = await send(`smtp://${server.host}`);
  assertEquals(mailed, { ok: false, problem: "SMTP 550", isFinal: true });
});
