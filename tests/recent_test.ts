import { assertEquals } from "@std/assert";
import { Recent } from "@/lib/recent.ts";

Deno.test("whoever asks while a value is being read waits for that read, so that a storage that hangs is asked by no growing queue", async () => {
  const recent = new Recent<number>(1_000);
  const reads: PromiseWithResolvers<number>[] = [];
  const ask = (now: number) =>
    recent.get("", now, () => {
      const read = Promise.withResolvers<number>();
      reads.push(read);
      return read.promise;
    });
  const asked = [0, 5_000, 10_000].map(ask);
  recent.drop();
  const dropped = ask(10_000);
  await Promise.resolve();
  reads[0]!.resolve(1);
  assertEquals(await Promise.all(asked), [1, 1, 1]);
  reads[1]!.resolve(2);
  assertEquals([await dropped, await ask(10_999)], [2, 2]);
  const next = ask(11_000);
  await Promise.resolve();
  assertEquals(reads.length, 3, "what was dropped or is too old is read again");
  reads[2]!.reject(new Error("KV is away"));
  assertEquals(await next.catch(({ message }) => message), "KV is away");
  ask(11_000).catch(() => {});
  await Promise.resolve();
  assertEquals(reads.length, 4, "a failed read is not kept");
});
