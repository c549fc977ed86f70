import { assert, assertEquals } from "@std/assert";
import { commands } from "@/lib/operator/commands.ts";
import { EVENT_TYPES } from "@/lib/payments/events.ts";

const text = await Deno.readTextFile(new URL("../../docs/operate.md", import.meta.url));

Deno.test("docs/operate.md names exactly the events that are handled", () => {
  const named = [...text.matchAll(/^ +- `([a-z_.]+)`$/gm)].map((match) => match[1]);
  assertEquals(named, [...EVENT_TYPES]);
});

Deno.test("docs/operate.md names only operator commands that exist", () => {
  const named = [...text.matchAll(/deno task operator ([a-z]+) ([a-z]+)/g)];
  assert(named.length > 0);
  for (const [, area, verb] of named) {
    assert(
      commands.some((command) => command.area === area && command.verb === verb),
      `${area} ${verb}`,
    );
  }
});
