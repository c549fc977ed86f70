import { assertEquals } from "@std/assert";
import { testApp } from "../support/app.ts";
import { KINDS } from "../support/kinds.ts";
import { kvWith } from "../support/kv_with.ts";

for (const { list, noun, body, setHidden } of KINDS) {
  Deno.test(`each process finds ${noun}s that match equally well in the same order, newest first`, async () => {
    const kv = await Deno.openKv(":memory:");
    const options = { kv: kvWith(kv, { close: () => {} }) };
    await using app = await testApp(options);
    const slugs: string[] = [];
    for (let i = 0; i < 4; i++) {
      const made = await app.json(list, { json: body({ tags: ["chess"] }) });
      slugs.unshift(made.body[noun].slug);
      app.clock.advance(1_000);
    }
    // An entry that is shown again is new to this process, but no newer.
    await setHidden(app, slugs[3]!, true);
    await setHidden(app, slugs[2]!, true);
    await setHidden(app, slugs[3]!, false);
    await setHidden(app, slugs[2]!, false);
    await using other = await testApp({ ...options, now: app.clock.now() });
    for (const each of [app, other]) {
      const found = await each.json(`${list}?q=chess`);
      assertEquals(found.body[`${noun}s`].map(({ slug }: { slug: string }) => slug), slugs);
    }
    kv.close();
  });
}
