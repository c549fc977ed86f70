// deno-lint-ignore-file no-console -- the framework logs what it answers 500 to
import { assertEquals, assertStringIncludes } from "@std/assert";
import { App, type Context, HttpError, page, type PageProps } from "fresh";
import { h } from "preact";

type State = { trail: string };

function ask(app: App<State>, path: string, init?: RequestInit): Promise<Response> {
  return Promise.resolve(app.handler()(new Request(`http://localhost${path}`, init)));
}

async function quietly<T>(run: () => Promise<T>): Promise<T> {
  const { error } = console;
  console.error = () => {};
  try {
    return await run();
  } finally {
    console.error = error;
  }
}

const step = (name: string) => (ctx: Context<State>) => {
  ctx.state.trail = (ctx.state.trail ?? "") + name;
  return ctx.next();
};

Deno.test("App runs middlewares in the order of their calls, and none that come after a route", async () => {
  const app = new App<State>()
    .use(step("a"), step("b"))
    .use("/deep", step("d"))
    .get("/deep/er", (ctx) => ctx.text(ctx.state.trail))
    .get("/flat", (ctx) => ctx.text(ctx.state.trail))
    .use(step("late"))
    .get("/after", (ctx) => ctx.text(ctx.state.trail));
  assertEquals(await (await ask(app, "/deep/er")).text(), "abd");
  assertEquals(await (await ask(app, "/flat")).text(), "ab");
  assertEquals(await (await ask(app, "/after")).text(), "ablate");
});

Deno.test("App answers HEAD by GET without a body, and keeps status and headers", async () => {
  const app = new App<State>().get(
    "/",
    () => new Response("body", { status: 203, headers: { "X-A": "1" } }),
  );
  const response = await ask(app, "/", { method: "HEAD" });
  assertEquals(response.status, 203);
  assertEquals(response.headers.get("X-A"), "1");
  assertEquals(await response.text(), "");
});

Deno.test("App answers 405 to a method that a known path lacks, 204 with Allow to OPTIONS", async () => {
  const app = new App<State>().get("/a", (ctx) => ctx.text("a")).post("/a", (ctx) => ctx.text("p"));
  assertEquals((await ask(app, "/a", { method: "DELETE" })).status, 405);
  assertEquals((await ask(app, "/b")).status, 404);
  const options = await ask(app, "/a", { method: "OPTIONS" });
  assertEquals(options.status, 204);
  assertStringIncludes(options.headers.get("Allow")!, "GET");
  assertStringIncludes(options.headers.get("Allow")!, "POST");
});

Deno.test("ctx.redirect never leads a path to another host", async () => {
  const rows: [target: string, location: string][] = [
    ["/", "/"],
    ["/a/b?c=//d#//e", "/a/b?c=//d#//e"],
    ["//evil.example", "/evil.example"],
    ["///evil.example//x", "/evil.example/x"],
    ["https://other.example/x", "https://other.example/x"],
  ];
  for (const [target, location] of rows) {
    const app = new App<State>().get("/", (ctx) => ctx.redirect(target));
    const response = await ask(app, "/");
    assertEquals(response.status, 302);
    assertEquals(response.headers.get("Location"), location);
  }
  const app = new App<State>().get("/", (ctx) => ctx.redirect("/x", 303));
  assertEquals((await ask(app, "/")).status, 303);
});

Deno.test("App hides the text of unknown errors and tells that of an HttpError", async () => {
  const app = new App<State>()
    .get("/unknown", () => {
      throw new Error("secret");
    })
    .get("/rejected", () => Promise.reject(new Error("secret")))
    .get("/gone", () => {
      throw new HttpError(410, "It left");
    })
    // deno-lint-ignore no-explicit-any
    .get("/nothing", (() => undefined) as any);
  for (const path of ["/unknown", "/rejected", "/nothing"]) {
    const response = await quietly(() => ask(app, path));
    assertEquals(response.status, 500, path);
    assertEquals(await response.text(), "Internal server error");
  }
  const gone = await ask(app, "/gone");
  assertEquals([gone.status, await gone.text()], [410, "It left"]);
});

Deno.test("the nearest onError answers, with the error in ctx.error; notFound takes every 404", async () => {
  const app = new App<State>()
    .onError("/", (ctx) => ctx.text(`root ${(ctx.error as Error).message}`, { status: 500 }))
    .onError("/in", (ctx) => ctx.text(`in ${(ctx.error as Error).message}`, { status: 502 }))
    .notFound((ctx) => ctx.text(`lost ${ctx.url.pathname}`, { status: 404 }))
    .get("/in/x", () => {
      throw new Error("x");
    })
    .get("/y", () => Promise.reject(new Error("y")))
    .get("/in/gone", () => {
      throw new HttpError(404);
    });
  const text = async (path: string) => {
    const response = await ask(app, path);
    return `${response.status} ${await response.text()}`;
  };
  assertEquals(await text("/in/x"), "502 in x");
  assertEquals(await text("/y"), "500 root y");
  assertEquals(await text("/in/gone"), "404 lost /in/gone");
  assertEquals(await text("/nowhere"), "404 lost /nowhere");
});

Deno.test("a middleware can catch what comes after it, and finds the error in the context", async () => {
  const app = new App<State>()
    .use(async (ctx) => {
      try {
        return await ctx.next();
      } catch (error) {
        return ctx.text(`caught ${ctx.error === error} ${(error as Error).message}`);
      }
    })
    .get("/", () => {
      throw new Error("it");
    });
  assertEquals(await (await ask(app, "/")).text(), "caught true it");
});

Deno.test("App decodes parameters and tells the matched pattern", async () => {
  const app = new App<State>()
    .get("/u/:id", (ctx) => ctx.json({ route: ctx.route, ...ctx.params }))
    .get("/u/me", (ctx) => ctx.text("me"))
    .get("/f/:rest*", (ctx) => ctx.json(ctx.params));
  assertEquals(await (await ask(app, "/u/a%20b")).json(), { route: "/u/:id", id: "a b" });
  assertEquals(await (await ask(app, "/u/me")).text(), "me");
  assertEquals(await (await ask(app, "/f/a/b")).json(), { rest: "a/b" });
  assertEquals(await (await ask(app, "/f")).json(), { rest: "" });
});

Deno.test("App has a call for each method; all answers those that have none", async () => {
  const app = new App<State>()
    .put("/a", (ctx) => ctx.text("put"))
    .patch("/a", (ctx) => ctx.text("patch"))
    .delete("/a", (ctx) => ctx.text("delete"))
    .all("/a", (ctx) => ctx.text("any"));
  const rows = [["PUT", "put"], ["PATCH", "patch"], ["DELETE", "delete"], ["POST", "any"]] as const;
  for (const [method, text] of rows) {
    assertEquals(await (await ask(app, "/a", { method })).text(), text);
  }
});

Deno.test("App.route renders a component with its handler's data, and answers only its methods", async () => {
  const app = new App<State>()
    .route("/p", {
      handler: { GET: () => page("given"), POST: (ctx) => ctx.html("<b>posted</b>") },
      component: ({ data }: PageProps<string>) => h("p", null, data),
    })
    .route("/plain", { component: () => h("p", null, "plain") });
  assertStringIncludes(await (await ask(app, "/p")).text(), "<p>given</p>");
  const posted = await ask(app, "/p", { method: "POST" });
  assertStringIncludes(posted.headers.get("Content-Type")!, "text/html");
  assertEquals(await posted.text(), "<b>posted</b>");
  assertStringIncludes(await (await ask(app, "/plain")).text(), "<p>plain</p>");
});
