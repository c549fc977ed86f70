import { assertEquals } from "@std/assert";
import { monogram } from "@/lib/text/monogram.ts";

Deno.test("a monogram is the initials of two words, or a name's first character", () => {
  for (
    const [name, expected, reason] of [
      ["Release notes", "RN", "two words"],
      ["pulumi", "P", "one word"],
      ["prosemirror-view", "PV", "words joined by a dash"],
      ["ProseMirror", "PM", "words joined by a capital"],
      ["@formatjs/intl", "I", "a package without its scope"],
      ["@/", "@", "a scope and nothing behind it"],
      ["'Tis (a) test", "TA", "symbols around words"],
      ["über alles", "ÜA", "a letter with a mark"],
      ["ß", "ß", "a letter whose capital is two"],
      ["u\u0308ber", "U\u0308", "a mark of its own"],
      ["x\u0301\u0302\u0303\u0304\u0305", "X\u0301\u0302", "more marks than a tile has room for"],
      ["2048 Game", "2", "a digit has no capital"],
      ["星图 🗺️", "星", "a script without capitals"],
      ["دفتر الملاحظات", "د", "letters that would join"],
      ["Яндекс карты", "ЯК", "another alphabet"],
      ["👩‍🚀 🚀", "👩‍🚀", "an emoji of several code points"],
      ["***", "*", "no letters"],
      ["", "", "nothing"],
    ]
  ) assertEquals(monogram(name!), expected, reason);
});
