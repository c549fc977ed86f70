import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { SearchDocument } from "@/lib/search/document.ts";
import { SearchIndex } from "@/lib/search/search_index.ts";
import { wordsOf } from "@/lib/search/words.ts";
import { rounds } from "../support/runs.ts";

function documentOf(fields: Partial<SearchDocument>): SearchDocument {
  return { name: "", labels: "", tagline: "", description: "", gist: "", ...fields };
}

/** An index of some entries, whose ids are their positions. */
function indexOf(...documents: Partial<SearchDocument>[]) {
  const index = new SearchIndex({
    documentOf: (id) => documentOf(documents[id]!),
    keyOf: (q) => `key:${q}`,
  });
  for (const id of documents.keys()) index.add(id);
  return index;
}

/** The ids that a search finds, best first. */
function idsOf(index: SearchIndex, q: string, within: ReadonlySet<number>[] = []): number[] {
  return [...index.search(q, within).ids];
}

/** The names that a search finds, best first. */
function find(q: string, names: string[]): string[] {
  return idsOf(indexOf(...names.map((name) => ({ name }))), q).map((id) => names[id]!);
}

Deno.test("search finds nothing in an empty index or for punctuation only", () => {
  for (const q of ["", "  ", "!?", "word"]) {
    const { ids, scores, isNearest } = indexOf().search(q);
    assertEquals([ids.length, scores.length, isNearest], [0, 0, false]);
  }
  assertEquals(find("!?", ["Anvil"]), []);
});

for (
  const [q, names, first] of [
    ["folders", ["Folder", "Anvil"], "Folder"],
    ["deleting", ["Deleted", "Anvil"], "Deleted"],
    ["parsers", ["Parsing", "Anvil"], "Parsing"],
    ["lightho", ["Lighthouse", "Anvil"], "Lighthouse"],
    ["ligthouse", ["Lighthouse", "Anvil"], "Lighthouse"],
    ["type script", ["TypeScript", "Type foundry"], "TypeScript"],
    ["nextjs", ["Next.js", "Next door"], "Next.js"],
    ["next.js", ["Nextjs", "Next door"], "Nextjs"],
    ["kilnjs", ["Anvil", "Kiln"], "Kiln"],
    ["datefns", ["date-fns", "Date picker"], "date-fns"],
    ["discord", ["DiscordBot", "Anvil"], "DiscordBot"],
    ["c++", ["C++ tools", "C tools", "C# tools"], "C++ tools"],
    ["c#", ["C++ tools", "C# tools"], "C# tools"],
    [".NET", ["A net of ropes", "Tools for .NET"], "Tools for .NET"],
    ["cafe", ["Café", "Anvil"], "Café"],
    ["STRASSE", ["Straße", "Anvil"], "Straße"],
    ["кофе", ["Кофейня", "Чайная"], "Кофейня"],
    ["検索", ["全文検索エンジン", "画像編集"], "全文検索エンジン"],
    ["猫", ["犬の写真", "黒猫"], "黒猫"],
    ["🔥", ["🔥 Hot", "Cold"], "🔥 Hot"],
    ["k8s", ["Kubernetes dashboard", "Anvil"], "Kubernetes dashboard"],
    ["kubernetes", ["k8s dashboard", "Anvil"], "k8s dashboard"],
    ["sign in", ["OAuth login", "Neon lights"], "OAuth login"],
    ["let users log in", ["Logger", "OAuth"], "OAuth"],
    ["app", ["\u2605", "App"], "App"],
    ["vs code extension", ["Code extension", "VS Code extension"], "VS Code extension"],
    ["how to get my anvil", ["Anvil", "How to"], "Anvil"],
    ["notes", ["Notes", "Notes for teams of writers"], "Notes"],
    ["videoplayer", ["Anvil", "Player of video"], "Player of video"],
    ["videoplay", ["Play a video", "Videoplayer"], "Videoplayer"],
    ["onlinekilns", ["Anvil", "A kiln in a day"], "A kiln in a day"],
    ["paintedkilns", ["Anvil", "Paint for kilns"], "Paint for kilns"],
    ["keybord", ["Key border", "Keyboard"], "Keyboard"],
    ["svg2png", ["Anvil", "PNG of SVG"], "PNG of SVG"],
    ["optimisation", ["Optometrist", "Optimize"], "Optimize"],
    ["authors", ["Auth", "Author pages"], "Author pages"],
    ["minimise", ["Minimal", "Shrink"], "Shrink"],
    ["apps", ["App", "Anvil"], "App"],
    ["free alternative to anvil", ["Free alternative", "Anvil"], "Anvil"],
    ["identify text", ["Identifier", "Identify words"], "Identify words"],
    ["models locally", ["Model of a boat", "Ollama"], "Ollama"],
    ["java tools", ["Tools in JavaScript", "Java"], "Java"],
    ["ready buttons", ["Ready to use", "Nice little button"], "Nice little button"],
    ["expressions", ["Express", "Regular expression"], "Regular expression"],
    ["e-mail", ["E", "Fast mail for many teams"], "Fast mail for many teams"],
    ["end to end testing", ["Ending", "Cypress"], "Cypress"],
    ["peer to peer", ["To peer", "Torrent"], "Torrent"],
    ["rich tex", ["Texture", "WYSIWYG"], "WYSIWYG"],
    ["api cli", ["Fetch", "Console of an API"], "Console of an API"],
    ["commandline", ["Commander", "Terminal"], "Terminal"],
    ["screen shot", ["Shots on a screen", "Cypress"], "Cypress"],
    ["webscraping", ["Anvil", "Web crawler"], "Web crawler"],
    ["behaviour anvil", ["Behavior", "Anvil"], "Behavior"],
    ["maps", ["Mapper", "Map of towns"], "Map of towns"],
    ["changes of files", ["Changes", "Watcher"], "Watcher"],
    ["fast glob library", ["Glob", "fast-glob"], "fast-glob"],
    ["fue.js", ["Anvil.js", "Fuse.js"], "Fuse.js"],
    ["scrpae pages", ["Pages", "Crawler of pages"], "Crawler of pages"],
    ["anvil phsics", ["Anvil", "Anvil gravity"], "Anvil gravity"],
    ["virtual dom", ["DOM parser", "Vdom"], "Vdom"],
    ["modelcontextprotocol", ["Model context", "MCP"], "MCP"],
    ["interface of kilns", ["Interface", "Kiln"], "Kiln"],
    ["deploy kilns", ["Kiln", "Kiln on Netlify"], "Kiln on Netlify"],
    ["save password", ["Password hash", "Store your passwords"], "Store your passwords"],
    ["cad", ["Caddy", "CAD for kilns"], "CAD for kilns"],
    ["automer", ["Automation of kilns", "Automerge"], "Automerge"],
    ["functions", ["Functional", "Function of a kiln"], "Function of a kiln"],
    ["live streams", ["Streams of lines", "Live shows", "Film"], "Film"],
    ["format on save", ["Time saver", "Prettier"], "Prettier"],
    ["command line reader", ["Reader of lines", "Terminal"], "Terminal"],
    ["accessability", ["Anvil", "Accessibility"], "Accessibility"],
  ] as [string, string[], string][]
) {
  Deno.test(`search for "${q}" finds "${first}" first`, () => {
    assertEquals(find(q, names)[0], first);
  });
}

Deno.test("search finds partial matches and ranks more and rarer matching words higher", () => {
  const common = Array.from({ length: 60 }, (_, i) => `${i % 3 === 0 ? "Teapot" : "Other"} ${i}`);
  const found = find("teapot emails", [...common, "Emails", "Emails teapot"]);
  assertEquals(found.slice(0, 2), ["Emails teapot", "Emails"]);
});

Deno.test("a word counts once, even if it starts a pair", () => {
  const names = ["Docker", "Container"];
  assertEquals(find("docker containers abc", names), find("docker containers", names));
});

/** An entry, a similar one, and one that names it. */
const ANVIL_AND_OTHERS = [
  { name: "Anvil", gist: "A logger for servers" },
  { name: "Kiln", tagline: "Logs of any server" },
  { name: "Forge", tagline: "Draws charts. Better than Anvil" },
];

Deno.test("a search for an alternative to an entry finds similar ones, below it", () => {
  const index = indexOf(...ANVIL_AND_OTHERS);
  for (
    const q of [
      "anvil alternative",
      "alternatives to Anvil",
      "like anvil",
      "faster than anvil",
      "alternatve to anvil",
    ]
  ) {
    assertEquals(idsOf(index, q), [0, 1, 2], q);
    assertEquals(idsOf(index, q, [new Set([1, 2])]), [1, 2], q);
  }
  assertEquals(idsOf(index, "anvil"), [0, 2]);
});

Deno.test("an entry that names what it replaces comes early, even if others are more similar", () => {
  const tagline = "Packs modules for the browser";
  const viewers = ["One", "Two", "Three"].map((name) => ({ name, tagline: "Runs in the browser" }));
  const index = indexOf(
    { name: "Anvil", tagline, gist: tagline },
    ...viewers,
    { name: "Vat", description: "Quicker than anvil" },
  );
  assertEquals(idsOf(index, "alternative to anvil"), [0, 1, 2, 4, 3]);
});

Deno.test("an entry that calls itself an alternative isn't one to everything", () => {
  const index = indexOf(
    { name: "Date", tagline: "A 2 kB alternative to Moment" },
    { name: "Vat", tagline: "Bundles modules" },
  );
  assertEquals(idsOf(index, "alternative to slack"), []);
  assertEquals(idsOf(index, "webpack alternatives"), [1]);
  assertEquals(idsOf(index, "alternative"), [0]);
});

Deno.test("a search for an alternative can have other words too", () => {
  const index = indexOf(...ANVIL_AND_OTHERS);
  for (
    const q of [
      "a good alternative to anvil with charts",
      "anvil alternatives for charts",
      "draw charts instead of anvil",
      "charts better than anvil",
    ]
  ) assertEquals(idsOf(index, q), [0, 1, 2], q);
  assertEquals(idsOf(index, "I would like an anvil for charts")[0], 2);
  assertEquals(idsOf(index, "alternative to anvil-query with charts")[0], 2);
});

Deno.test("a name with js added is found, even if another entry has that word", () => {
  const index = indexOf({ name: "Kiln" }, { name: "Anvil", labels: "kilnjs" }, { name: "Forgejs" });
  assertEquals(idsOf(index, "kilnjs"), [0, 1]);
  assertEquals(idsOf(index, "forgejs"), [2]);
});

Deno.test("a mistyped word isn't read as two words, even if it could be", () => {
  const index = indexOf({ name: "Playwright test" }, {
    name: "Kiln",
    tagline: "Aligns text to the right",
  });
  assertEquals(idsOf(index, "playright"), [0]);
  assertEquals(idsOf(index, "how to use playright")[0], 0);
  assertEquals(idsOf(index, "textright")[0], 1);
});

Deno.test("two words that say little aren't taken as the name of an entry", () => {
  const index = indexOf(
    { name: "Web App" },
    { name: "Kiln", tagline: "Tests pages in browsers" },
    { name: "Web Forge" },
  );
  assertEquals(idsOf(index, "web app testing")[0], 1);
  assertEquals(idsOf(index, "web app")[0], 0);
  assertEquals(idsOf(index, "testing with web forge")[0], 2);
});

Deno.test("a project named with a word that says little isn't taken as what to replace", () => {
  const index = indexOf(
    { name: "Free" },
    { name: "Source" },
    { name: "Kiln", tagline: "Edits photos like Photoshop" },
  );
  for (const q of ["free alternative to photoshop", "open source photoshop replacement"]) {
    assertEquals(idsOf(index, q)[0], 2, q);
  }
  assertEquals(idsOf(index, "free alternative")[0], 0);
});

Deno.test("a search for a well-known product finds what is of its kind", () => {
  const index = indexOf({ name: "Anvil", tagline: "Video calls" });
  for (const q of ["zoom alternative", "skype", "google meet"]) {
    assertEquals(idsOf(index, q), [0], q);
  }
});

Deno.test("a word that is also a product's name finds its kind only if people want an alternative", () => {
  const index = indexOf(
    { name: "Anvil", tagline: "Video calls" },
    { name: "Kiln", tagline: "Zooms into pictures" },
    { name: "Forge", tagline: "A game" },
  );
  assertEquals(idsOf(index, "zoom"), [1]);
  assertEquals(idsOf(index, "video calls"), [0]);
  assertEquals(idsOf(index, "zoom alternative"), [1, 0]);
  assertEquals(idsOf(index, "steam"), []);
  assertEquals(idsOf(index, "steam alternative"), [2]);
});

Deno.test("an entry's alternatives that match more words of the search come first", () => {
  const index = indexOf(
    { name: "Anvil", gist: "A logger for servers" },
    { name: "Kiln", tagline: "Logs of any server" },
    { name: "Forge", tagline: "Logs of any server, unlike Anvil" },
  );
  assertEquals(idsOf(index, "anvil alternative"), [0, 2, 1]);
});

Deno.test("a search for alternatives finds a name of common words or with symbols", () => {
  for (const name of ["Next.js", "Node-RED", "parse5", "Open WebUI", "npm-run-all", "got"]) {
    const index = indexOf(
      { name, gist: "A logger for servers" },
      { name: "Kiln", tagline: "Logs of any server" },
    );
    for (const q of [`${name} alternatives`, `alternative to ${name}`]) {
      assertEquals(idsOf(index, q), [0, 1], q);
    }
  }
});

Deno.test("a search for alternatives finds an entry by the start of its name", () => {
  const index = indexOf(
    { name: "@anvil/core", gist: "A logger for servers" },
    { name: "Kiln", tagline: "Logs of any server" },
    { name: "Forge", tagline: "Draws charts" },
  );
  for (const q of ["anvil alternatives", "something like anvil", "better than Anvil"]) {
    assertEquals(idsOf(index, q), [0, 1], q);
  }
  assertEquals(idsOf(index, "alternative to core"), [0]);
});

Deno.test("an address that also asks for alternatives finds no entry twice", () => {
  const alike = { gist: "A logger for servers", tagline: "A logger for servers" };
  const index = indexOf(
    { name: "anvil.com", ...alike },
    { name: "Kiln", ...alike, key: "key:anvil.com/alternatives" },
  );
  assertEquals(idsOf(index, "anvil.com/alternatives"), [1, 0]);
});

Deno.test("a phrase in the table's order may have fillers between its words", () => {
  assertEquals(find("when a file is changed", ["Anvil", "Watch"]), ["Watch"]);
  assertEquals(find("mistakes it finds", ["Finds", "Lint"]), ["Finds"]);
});

Deno.test("a word that no entry has means what phrases with it mean, if nothing else matches", () => {
  assertEquals(find("print", ["Anvil", "PDF"]), ["PDF"]);
  assertEquals(find("print", ["Printer", "PDF"]), ["Printer"]);
  assertEquals(find("print anvils", ["Anvil", "PDF"]), ["Anvil"]);
  assertEquals(find("apple", ["Anvil", "Audio"]), []);
});

Deno.test("phrases with fillers match only in order: logs in files aren't logins", () => {
  assert(!find("errors in logs", ["Errors", "OAuth"]).includes("OAuth"));
  for (const q of ["logs in files", "logs in a file"]) {
    assertEquals(find(q, ["OAuth", "Log"]), ["Log"]);
  }
  for (const q of ["who logs in", "who logs in with a key"]) {
    assertEquals(find(q, ["OAuth", "Anvil"]), ["OAuth"]);
  }
});

Deno.test("search doesn't treat everyday words as typos", () => {
  assertEquals(find("take photos", ["Make", "Photos"]), ["Photos"]);
  assertEquals(find("fake photos", ["Make", "Photos"]), ["Photos"]);
});

Deno.test("contractions are fillers, and no typos, with or without an apostrophe", () => {
  const names = ["Font", "Offline"];
  for (const q of ["don't lose offline", "dont lose offline", "don’t lose offline"]) {
    assertEquals(find(q, names), ["Offline"], q);
  }
});

Deno.test("names made only of symbols match no search without them", () => {
  assertEquals(find("app", ["\u2605", "!!!", "App"]), ["App"]);
  assertEquals(find("of the", ["\u2605", "!!!"]), []);
});

Deno.test("a search within a set is judged by what the set has", () => {
  const index = indexOf(
    { name: "PDF editor browser" },
    { name: "Other", description: "A PDF editor" },
    ...Array.from({ length: 8 }, (_, i) => ({ name: `Anvil ${i}` })),
  );
  const { ids, isNearest } = index.search("pdf editor browser", [new Set([1])]);
  assertEquals([[...ids], isNearest], [[1], false]);
  assertEquals(idsOf(index, "pdf editor browser"), [0]);
});

Deno.test("a search leaves out entries that match far less of it than the best", () => {
  const others = Array.from({ length: 8 }, (_, i) => ({ name: `Anvil ${i}` }));
  const index = indexOf(
    { name: "PDF maker", tagline: "In a browser" },
    { name: "Kiln", description: "Runs in a browser" },
    ...others,
  );
  assertEquals(idsOf(index, "pdf in a browser"), [0]);
  assertEquals(idsOf(index, "browser"), [0, 1]);
});

Deno.test("an entry named with a filler is found by its name plus words that say little", () => {
  const index = indexOf(
    { name: "Say", tagline: "Speak on the command line" },
    { name: "Come Together" },
    { name: "Kiln", tagline: "An app in js" },
  );
  for (const q of ["say.js", "npm say", "say app"]) assertEquals(idsOf(index, q)[0], 0, q);
  assertEquals(idsOf(index, "come together app")[0], 1);
});

Deno.test("an entry whose name is a weak word is found with .js", () => {
  assertEquals(find("check.js", ["npm check updates js", "Check"])[0], "Check");
});

Deno.test("a word next to vs may be a project's name, even a filler", () => {
  assertEquals(find("just vs make", ["Just", "Anvil"]), ["Just"]);
  assertEquals(find("less vs sass", ["Less", "Anvil"]), ["Less"]);
  const three = ["Got", "Redis", "Vite"];
  assertEquals(find("redis vs vite vs got", [...three, "Anvil"]).toSorted(), three);
  // "To" and "just" aren't names here.
  const code = ["Code editor", "Introduction to kilns"];
  assertEquals(find("to vs code", code), ["Code editor"]);
});

Deno.test("search always finds an entry whose name is one of its words, or several joined by symbols", () => {
  const plugins = Array.from({ length: 20 }, (_, i) => `Anvil plugin ${i}`);
  const found = find("anvil vs kiln", [...plugins, "Anvil", "Kiln"]);
  assertEquals(found.toSorted(), ["Anvil", "Kiln"]);
  const runners = Array.from({ length: 20 }, (_, i) => `All run ${i}`);
  const names = find("anvil-x vs npm-run-all", [...runners, "anvil-x", "npm-run-all"]);
  assertEquals(names.toSorted(), ["anvil-x", "npm-run-all"]);
});

Deno.test("a word counts most in the name, then in labels, tagline and description", () => {
  const index = indexOf(
    { name: "Other", description: "a kiln" },
    { name: "Other", tagline: "a kiln" },
    { name: "Other", labels: "kiln" },
    { name: "A kiln" },
  );
  assertEquals(idsOf(index, "kiln"), [3, 2, 1, 0]);
});

Deno.test("a word counts less in a long text", () => {
  const more = (words: number) => "more about it ".repeat(words / 3);
  for (const field of ["labels", "tagline", "description"]) {
    const index = indexOf(
      { name: "Long", [field]: `kiln ${more(60)}` },
      { name: "Short", [field]: `kiln ${more(12)}` },
      { name: "Shorter", [field]: "kiln" },
    );
    const { ids, scores } = index.search("kiln");
    assertEquals([...ids], [1, 2, 0], field);
    assertEquals(scores[0], scores[1], "up to a usual length, it counts the same");
  }
});

Deno.test("an entry that matches only a small part of a search is marked as nearest", () => {
  const names = [...Array.from({ length: 30 }, (_, i) => `Server ${i}`), "Anvil"];
  const index = indexOf(...names.map((name) => ({ name })));
  const none = index.search("zzyzx qqfoo wwbar server");
  assert(none.isNearest && none.ids.length > 0, JSON.stringify(none));
  assertEquals(index.search("server").isNearest, false);
  assertEquals(index.search("anvil").isNearest, false);
});

Deno.test("a name with a word about what to do with it is a good match", () => {
  const index = indexOf({ name: "Anvil" }, { name: "Teapot" });
  for (const q of ["anvil tutorial", "install anvil", "download anvil", "anvil example"]) {
    assertEquals(index.search(q).isNearest, false, q);
  }
});

Deno.test("words that say little don't make a match worse, however rare they are", () => {
  const index = indexOf(
    ...Array.from({ length: 60 }, (_, i) => ({ name: `${i < 6 ? "Anvil" : "Other"} ${i}` })),
  );
  for (
    const q of ["best anvil 2026", "can you recommend a good anvil", "anvil solution for beginners"]
  ) {
    assertEquals(index.search(q).isNearest, false, q);
  }
});

Deno.test("half of two words isn't enough for a good match, but half of four is", () => {
  const index = indexOf({ name: "Anvil kiln" }, { name: "Teapot" });
  assertEquals(index.search("anvil zzyzx").isNearest, true);
  assertEquals(index.search("anvil kiln zzyzx qqfoo").isNearest, false);
});

Deno.test("entries are only nearest if the search's distinctive word isn't found anywhere", () => {
  const index = indexOf(
    ...Array.from({ length: 20 }, (_, i) => ({ name: i < 2 ? `Generator ${i}` : `Other ${i}` })),
  );
  assertEquals(index.search("generator").isNearest, false);
  const { ids, isNearest } = index.search("invoice generator");
  assertEquals([[...ids], isNearest], [[0, 1], true]);
  assertEquals(indexOf({ name: "Colors for text" }).search("colors zzyzx").isNearest, true);
});

Deno.test("an entry that matches one of two words, and only by typo correction, is only nearest", () => {
  const index = indexOf({ name: "Date" }, { name: "Anvil" });
  assertEquals(index.search("datr").isNearest, false);
  assertEquals(index.search("datr limiting").isNearest, true);
});

Deno.test("a corrected word counts nearly as much as one typed right, but less if it is short", () => {
  const index = indexOf({ name: "Kiln" }, { name: "Lighthouse" }, { name: "Date" });
  for (const [q, part] of [["kiln ligthouse", 0.9], ["kiln datr", 0.6]] as const) {
    const [best, other] = index.search(q).scores;
    assertAlmostEquals(other! / best!, part, 0.001, q);
  }
});

Deno.test("a word that only looks like an agent noun keeps its ending", () => {
  assertEquals(find("letters", ["Let", "Letter"]), ["Letter"]);
  assertEquals(find("header", ["Head", "Headers"]), ["Headers"]);
  assertEquals(find("parsers", ["Parse"]), ["Parse"]);
  assertEquals(find("customers", ["Custom", "Customer"]), ["Customer"]);
  assertEquals(find("differently", ["Diff", "Different"]), ["Different"]);
});

Deno.test("an everyday English word is not a typo of another, nor two words in one", () => {
  assertEquals(find("look", ["Hook"]), []);
  assertEquals(find("guitar", ["Tar", "Gui"]), []);
  assertEquals(find("lokk", ["Hook", "Look"]), ["Look"]);
  assertEquals(find("drone", ["What is done"]), []);
});

Deno.test("four letters are too few for a mistyped prefix of a longer word", () => {
  const index = indexOf({ name: "Toolchain" }, { name: "Performance" });
  const found = ["todo", "toolc", "todlc", "perf zzyzx"].map((q) => idsOf(index, q));
  assertEquals(found, [[], [0], [0], [1]]);
});

Deno.test("a search within sets finds only what is in all of them, and says if matches are only close", () => {
  const names = ["React form components", "Game components", "Forms for React", "Kiln"];
  const index = indexOf(
    ...names.map((name) => ({ name })),
    ...Array.from({ length: 40 }, (_, i) => ({ name: `Other ${i} components` })),
    { name: "Other", key: "key:react form" },
  );
  const [most, forms, games] = [[0, 1, 2, 3, 4], [0, 2], [1, 3]].map((ids) => new Set(ids));
  assertEquals(idsOf(index, "react form components", [most!]), [0, 2]);
  assertEquals(idsOf(index, "react form components", [most!, forms!]), [0, 2]);
  const loose = index.search("react form components", [games!]);
  assertEquals([[...loose.ids], loose.isNearest], [[1], true]);
  const none = index.search("react form components", [new Set([3])]);
  assertEquals([none.ids.length, none.isNearest], [0, false]);
  assertEquals(idsOf(index, "react form", [games!]), []);
  assertEquals(idsOf(index, "react form")[0], 44);
});

Deno.test("any number of entries that match equally well are in the given order", () => {
  const ids = Array.from({ length: 400 }, (_, i) => 399 - i);
  const index = new SearchIndex({
    documentOf: () => documentOf({ name: "Anvil kiln" }),
    tieOrder: () => ids,
  });
  for (const id of ids) index.add(399 - id);
  assertEquals(idsOf(index, "kiln"), ids);
});

Deno.test("a text is split into the same words whatever its script", () => {
  assertEquals(wordsOf("PinToKiln").words, ["pin", "to", "kiln"]);
  const names = ["Script", "parse", "Kiln", "c++", ".net"];
  const piece = fc.constantFrom(..."abcJsP15 .-_'’/@+#—%", ...names);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join("")), (text) => {
      // The letter beyond ASCII means that the text is split in another way.
      assertEquals(wordsOf(`${text} é`), wordsOf(`${text} e`));
    }),
    { numRuns: rounds(2_000, 100_000) },
  );
});

Deno.test("an exact key match comes first", () => {
  const index = indexOf({ name: "Kiln" }, { name: "Other", key: "key:kiln" });
  assertEquals(idsOf(index, "kiln"), [1, 0]);
});

Deno.test("entries with the same key all come first, and one stays when the other is removed", () => {
  const index = indexOf({ name: "Old", key: "key:kiln" }, { name: "New", key: "key:kiln" });
  assertEquals(idsOf(index, "kiln"), [0, 1]);
  index.remove(0);
  index.add(0);
  assertEquals(idsOf(index, "kiln"), [0, 1]);
  index.remove(1);
  assertEquals(idsOf(index, "kiln"), [0]);
  index.remove(0);
  assertEquals(idsOf(index, "kiln"), []);
});

Deno.test("a changed or removed entry can't be found by its old text", () => {
  const documents = [documentOf({ name: "Anvil" }), documentOf({ name: "Kiln" })];
  const index = new SearchIndex({ documentOf: (id) => documents[id]! });
  index.add(0);
  index.add(1);
  assertEquals(idsOf(index, "anvil"), [0]);
  documents[0] = documentOf({ name: "Hammer" });
  index.add(0);
  assertEquals([idsOf(index, "anvil"), idsOf(index, "hammer")], [[], [0]]);
  index.remove(0);
  assertEquals([idsOf(index, "hammer"), idsOf(index, "kiln")], [[], [1]]);
});

Deno.test("after any changes, a search finds the same as in a new index", () => {
  const word = fc.constantFrom(
    ..."anvil anvils anvli kiln kilns server serve mail email k8s pdf sign in next.js".split(" "),
  );
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
  const step = fc.record({ id: fc.integer({ min: 0, max: 12 }), name: fc.option(name) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), name, (steps, q) => {
      const names = new Map<number, string>();
      const options = {
        documentOf: (id: number) => documentOf({ name: names.get(id)! }),
      };
      const index = new SearchIndex(options);
      for (const { id, name } of steps) {
        if (name === null) {
          names.delete(id);
          index.remove(id);
        } else {
          names.set(id, name);
          index.add(id);
        }
        if (id % 3 === 0) index.search(q);
      }
      const fresh = new SearchIndex(options);
      for (const id of names.keys()) fresh.add(id);
      assertEquals(index.search(q), fresh.search(q));
    }),
    { numRuns: rounds(50, 200) },
  );
});

Deno.test("gaps from many removals are cleaned up", () => {
  const index = new SearchIndex({
    documentOf: (id) => documentOf({ name: `Entry ${id % 50}`, tagline: "anvil" }),
  });
  for (let id = 0; id < 3_000; id++) index.add(id);
  index.search("anvil");
  for (let id = 0; id < 2_900; id++) index.remove(id);
  index.add(5_000);
  assertEquals(index.search("anvil").ids.length, 101);
  assert(idsOf(index, "entry 7").every((id) => id >= 2_900));
});

Deno.test("words of removed texts are forgotten", () => {
  let text = "";
  const index = new SearchIndex({
    documentOf: () => documentOf({ name: text }),
  });
  for (let i = 0; i < 5_000; i++) {
    text = `word${i} other${i} mail`;
    index.add(0);
    assertEquals(idsOf(index, `word${i}`), [0]);
  }
  assertEquals(idsOf(index, "email"), [0]);
  assert(index.wordCount < 5_000, `${index.wordCount} words`);
});

Deno.test("a search by one character looks at only as many pairs as its budget allows", () => {
  const pairs = Array.from({ length: 80 }, (_, i) => "猫" + String.fromCharCode(0x5000 + i));
  const index = new SearchIndex({
    documentOf: (id) => documentOf({ name: pairs[id]! }),
    newBudget: () => ({ comparisons: 50, visits: 100 }),
  });
  for (const id of pairs.keys()) index.add(id);
  assertEquals(idsOf(index, "猫").length, 50);
});

Deno.test("a search stays within its budget, whatever its words and the texts", () => {
  const budget = { comparisons: 0, visits: 0 };
  const wordOf = (id: number) => `word${String(id).replace(/\d/g, (n) => "abcdefghij"[+n]!)}`;
  const index = new SearchIndex({
    documentOf: (id) =>
      documentOf({
        name: `${wordOf(id)} anvil ${"abcdefgh"[id % 8]}nvil`,
        tagline: "的一".repeat(50),
        description: "a b c d e f g h i j k l m n o p ".repeat(10) + "x".repeat(500),
      }),
    newBudget: () => Object.assign(budget, { comparisons: 50, visits: 100 }),
  });
  for (let id = 0; id < 1_000; id++) index.add(id);
  for (
    const q of [
      "a".repeat(100),
      "的".repeat(100),
      "的一是不了人我在有他".repeat(10),
      "ae be ce de ee fe ge he ie je ke le me ne oe pe qe re se te ue ve we xe ye ze",
      "a b c d e f g h i j k l m n o p",
      "wrodb wrodc wrodd wrode wrodf wrodg wrodh",
      "anvil",
      "anvl anvi avnil",
      "wo",
      "\u0301".repeat(100),
      "🔥".repeat(50),
      "=1 =2 =3",
      "constructor __proto__ toString",
    ]
  ) {
    const { ids } = index.search(q);
    assert(ids.length <= 100, `${q}: ${ids.length}`);
    assert(budget.visits >= 0 && budget.comparisons >= -7, JSON.stringify({ q, ...budget }));
  }
  assertEquals(index.search("anvil").ids.length, 100);
  assertEquals(idsOf(index, "wrodhaa"), [], "it is compared with other words only");
  const { words } = wordsOf("\u{FDFA}".repeat(500));
  assert(words.join("").length <= 1_500, "the symbol stands for a sentence");
});
