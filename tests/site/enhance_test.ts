import { assertEquals } from "@std/assert";

const script = await Deno.readTextFile(new URL("../../static/enhance.js", import.meta.url));

/** The properties of an element that the script uses. */
interface Part {
  textContent: string;
  className?: string;
  hidden?: boolean;
  role?: string;
}

/** A page whose script has run in a browser at the time `now` (ms), with a clock that can be advanced. */
function openPage(
  now: number,
  { until = [], server = now, clipboard = null, posted, hash = "" }: {
    /** Times (ms) that are counted down to, and the server's time (ms) when it rendered the page. */
    until?: number[];
    server?: number;
    clipboard?: Partial<Clipboard> | null;
    /** The response whose text the button copies; without it, the button copies a field's text. */
    posted?: () => Response;
    /** The fragment of the page's URL. */
    hash?: string;
  },
) {
  const timers: { at: number; run: () => void }[] = [];
  const did: string[] = [];
  const iso = (ms: number) => new Date(ms).toISOString();
  const countdowns = until.map((at) => ({
    textContent: "",
    dataset: { until: iso(at), now: iso(server) },
  }));
  const field = {
    value: "npm ci",
    focus: () => did.push("focus"),
    select: () => did.push("select"),
  };
  let click: () => Promise<void>;
  let submit: (event: { timeStamp: number; preventDefault: () => void }) => void;
  const form = { addEventListener: (_: "submit", listener: typeof submit) => submit = listener };
  const button = {
    textContent: "Copy",
    hidden: true,
    dataset: { copy: posted ? "/skills/knots/copy" : "" },
    closest: (part: string) => part === "figure" && !posted ? { querySelector: () => field } : null,
    addEventListener: (_: "click", listener: () => Promise<void>) => click = listener,
  };
  const said: Part = { textContent: "" };
  const document = {
    createElement: () =>
      Object.assign(said, { setAttribute: (_: "role", role: string) => said.role = role }),
    body: { append: () => {} },
    querySelectorAll: (parts: string) =>
      parts === "[data-until]" ? countdowns : parts === "form[data-once]" ? [form] : [button],
  };
  const page = {
    now,
    countdowns,
    button: button as Part,
    said,
    did,
    timers,
    click: () => click(),
    /** Presses the form's button; returns whether this sends it. */
    submit(): boolean {
      let isSent = true;
      submit({ timeStamp: page.now, preventDefault: () => isSent = false });
      return isSent;
    },
    /** Advances the clock and runs each timer when it is due. */
    pass(ms: number) {
      const end = page.now + ms;
      for (;;) {
        timers.sort((a, b) => a.at - b.at);
        if (timers.length === 0 || timers[0]!.at > end) break;
        const { at, run } = timers.shift()!;
        page.now = at;
        run();
      }
      page.now = end;
    },
  };
  const setTimeout = (run: () => void, ms: number) => timers.push({ at: page.now + ms, run });
  const Clock = { parse: Date.parse, now: () => page.now };
  const fetch = (address: string, { method }: { method: string }) => {
    did.push(`${method} ${address}`);
    return Promise.resolve(posted!());
  };
  class ClipboardItem {
    constructor(readonly parts: Record<string, Promise<Blob>>) {}
    getType = (type: string) => this.parts[type];
  }
  const given = {
    document,
    navigator: { clipboard },
    setTimeout,
    Date: Clock,
    fetch,
    ClipboardItem,
    location: { hash, pathname: "/p/knots" },
    addEventListener: (type: "load" | "keydown", listener: () => void) =>
      type === "load" && listener(),
    history: { replaceState: (_: null, __: "", path: string) => did.push(`address ${path}`) },
  };
  new Function(...Object.keys(given), script)(...Object.values(given));
  return page;
}

const NOON = Date.parse("2026-11-18T12:00:00.250Z");

Deno.test("a countdown shows up to three units by the server's clock, whatever the browser's says", () => {
  const [s, min, h, d] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
  const cases: [left: number, shown: string][] = [
    [2 * d + 3 * h + 4 * min + 5 * s, "in 2 d 3 h 4 min"],
    [d, "in 1 d 0 h 0 min"],
    [3 * h + 7 * s, "in 3 h 0 min 7 s"],
    [61 * s, "in 1 min 1 s"],
    [59 * s, "in 59 s"],
    [1_999, "in 1 s"],
    [999, "closed"],
    [-5 * s, "closed"],
  ];
  const until = cases.map(([left]) => NOON + left);
  const { countdowns } = openPage(NOON + 5 * d, { until, server: NOON });
  assertEquals(countdowns.map(({ textContent }) => textContent), cases.map(([, shown]) => shown));
});

Deno.test("a countdown ticks with the server's seconds until it is closed, then stops", () => {
  const page = openPage(NOON - 7_777, { until: [NOON + 2_750], server: NOON });
  const shown = () => page.countdowns[0]!.textContent;
  assertEquals(shown(), "in 2 s");
  page.pass(749);
  assertEquals(shown(), "in 2 s");
  page.pass(1);
  assertEquals([shown(), page.timers.length], ["in 2 s", 1]);
  page.pass(1_000);
  assertEquals([shown(), page.timers.length], ["in 1 s", 1]);
  page.pass(1_000);
  assertEquals([shown(), page.timers.length], ["closed", 0]);
});

Deno.test("a copy button becomes visible, copies, says so, and resets its label after three seconds", async () => {
  const copied: string[] = [];
  const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) };
  const page = openPage(NOON, { clipboard });
  const words = () => [page.button.textContent, page.said.textContent];
  assertEquals([page.button.hidden, page.said.role, page.said.className], [
    false,
    "status",
    "quiet",
  ]);
  await page.click();
  assertEquals([copied, page.did], [["npm ci"], []]);
  assertEquals(words(), ["Copied", "Copied"]);
  page.pass(2_999);
  assertEquals(words(), ["Copied", "Copied"]);
  page.pass(1);
  assertEquals(words(), ["Copy", ""]);
});

Deno.test("a copy button without clipboard access selects the text and says so", async () => {
  const page = openPage(NOON, { clipboard: null });
  await page.click();
  assertEquals(page.did, ["focus", "select"]);
  assertEquals(page.button.textContent, "Selected: copy it now");
  assertEquals(page.said.textContent, "Selected: copy it now");
});

Deno.test("a copy button with a URL copies the response to its POST, within the click", async () => {
  const copied: string[] = [];
  const write = async ([item]: ClipboardItem[]) => {
    const blob = await item!.getType("text/plain");
    copied.push(`${blob.type}: ${await blob.text()}`);
  };
  const page = openPage(NOON, { clipboard: { write }, posted: () => new Response("# Knots\n") });
  await page.click();
  assertEquals(page.did, ["POST /skills/knots/copy"]);
  assertEquals(copied, ["text/plain: # Knots\n"]);
  assertEquals(page.button.textContent, "Copied");
});

Deno.test("a copy button with a URL says so if it can't copy or get the text", async () => {
  const refused = () => new Response(null, { status: 429 });
  const write = async ([item]: ClipboardItem[]) => void await item!.getType("text/plain");
  const cases = [[null, []], [{ write }, ["POST /skills/knots/copy"]]] as const;
  for (const [clipboard, did] of cases) {
    const page = openPage(NOON, { clipboard, posted: refused });
    await page.click();
    assertEquals([page.did, page.said.textContent], [[...did], "Not copied: use the Raw link"]);
  }
});

Deno.test("a form can't be sent again within five seconds", () => {
  const page = openPage(NOON, {});
  assertEquals([page.submit(), page.submit()], [true, false]);
  page.pass(4_999);
  assertEquals(page.submit(), false);
  page.pass(1);
  assertEquals(page.submit(), true);
});

Deno.test("#saved is removed from the URL after an edit, and other fragments stay", () => {
  assertEquals(openPage(NOON, { hash: "#saved" }).did, ["address /p/knots"]);
  for (const hash of ["", "#badge"]) assertEquals(openPage(NOON, { hash }).did, []);
});
