import { assertEquals } from "@std/assert";
import { DomainError } from "@/lib/errors.ts";
import { unavailable } from "@/lib/kv/attempt.ts";
import { errorFields } from "@/lib/log.ts";

Deno.test("errorFields says of failed storage what KV said, and of any other error nothing of its cause", () => {
  const cause = new TypeError("database is locked");
  const said = (error: unknown) => [errorFields(error).error, errorFields(error).message];
  assertEquals(said(unavailable(cause)), ["TypeError", "database is locked"]);
  const conflict = unavailable();
  assertEquals(said(conflict), [conflict.name, conflict.message]);
  const stripe = new DomainError("stripe_error", undefined, { cause });
  assertEquals(said(stripe), [stripe.name, stripe.message]);
});
