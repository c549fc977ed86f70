import { assertEquals } from "@std/assert";
import { readableContent } from "@/lib/skills/content_view.ts";

Deno.test("content that isn't Markdown is shown as is, from its first line", () => {
  const content = "---\nname: a\n---\n# Steps\n\u200B";
  const lines = ["---", "name: a", "---", "# Steps", "⟦U+200B⟧"];
  const shown = readableContent({ kind: "prompt", content });
  assertEquals(shown, { front: null, nodes: null, lines });
  const { front, nodes } = readableContent({ kind: "skill-md", content });
  assertEquals([front, nodes!.length], ["---\nname: a\n---\n", 2]);
});

Deno.test("controls and a BOM before the frontmatter are shown and change nothing else", () => {
  const content = "\uFEFF---\nname: a\u0007\n---\nA\0b";
  const { front, nodes, lines } = readableContent({ kind: "skill-md", content });
  assertEquals(front, "⟦U+FEFF⟧---\nname: a⟦U+0007⟧\n---\n");
  assertEquals(nodes, [{ tag: "p", children: ["A⟦U+0000⟧b"] }]);
  assertEquals(lines, ["⟦U+FEFF⟧---", "name: a⟦U+0007⟧", "---", "A⟦U+0000⟧b"]);
});
