import { assertEquals } from "@std/assert";
import { DomainError } from "@/lib/errors.ts";
import { unavailable } from "@/lib/kv/retry.ts";
import { createLog, errorFields } from "@/lib/log.ts";

Deno.test("createLog writes events of its level and above as JSON objects", () => {
  const lines: string[] = [];
  const { console: real } = globalThis;
  globalThis.console = { ...real, error: (line: string) => lines.push(line) };
  const levels = ["debug", "info", "warn", "error"] as const;
  try {
    for (const level of [...levels, "silent"] as const) {
      const log = createLog(level);
      for (const name of levels) log[name](`${level} ${name}`, { n: 1 });
    }
  } finally {
    globalThis.console = real;
  }
  const written = lines.map((line) => JSON.parse(line));
  assertEquals(
    written.map(({ event }) => event),
    levels.flatMap((level, i) => levels.slice(i).map((name) => `${level} ${name}`)),
  );
  for (const { event, level, n } of written) assertEquals([event.split(" ")[1], 1], [level, n]);
});

Deno.test("errorFields gives KV's message for failed storage, and hides the cause of other errors", () => {
  const cause = new TypeError("database is locked");
  const said = (error: unknown) => [errorFields(error).error, errorFields(error).message];
  assertEquals(said(unavailable(cause)), ["TypeError", "database is locked"]);
  const conflict = unavailable();
  assertEquals(said(conflict), [conflict.name, conflict.message]);
  const stripe = new DomainError("stripe_error", undefined, { cause });
  assertEquals(said(stripe), [stripe.name, stripe.message]);
});
