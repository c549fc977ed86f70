import { assertEquals } from "@std/assert";
import { createDrain } from "@/lib/http/drain.ts";

const INFO = {} as Deno.ServeHandlerInfo;

Deno.test("drained waits for pending requests, including failed ones, but not for later ones", async () => {
  const answers: PromiseWithResolvers<Response>[] = [];
  const { handler, drained } = createDrain(() => {
    const answer = Promise.withResolvers<Response>();
    answers.push(answer);
    return answer.promise;
  });
  const ask = () => Promise.resolve(handler(new Request("http://x.test/"), INFO)).catch(() => {});
  ask();
  const failing = ask();
  let isDrained = false;
  const done = drained(60_000).then(() => isDrained = true);
  ask();
  answers[0]!.resolve(new Response());
  await Promise.resolve();
  assertEquals(isDrained, false);
  answers[1]!.reject(new Error("no answer"));
  await Promise.all([failing, done]);
  assertEquals(isDrained, true);
});

Deno.test("drained waits up to its timeout, and not at all if nothing is pending", async () => {
  const { handler, drained } = createDrain(() => new Promise(() => {}));
  handler(new Request("http://x.test/"), INFO);
  await drained(1);
  const idle = createDrain(() => new Response());
  idle.handler(new Request("http://x.test/"), INFO);
  assertEquals(await idle.drained(60_000), undefined);
});
