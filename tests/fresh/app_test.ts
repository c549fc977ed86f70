// deno-lint-ignore-file no-console -- the framework logs what it answers 500 to
import { assertEquals, assertThrows } from "@std/assert";
import { App, type Context, type Middleware } from "fresh";
import { Builder } from "fresh/dev";
import { setBuildCache } from "@/lib/fresh/app.ts";
import { app as site } from "./fixtures/site/main.ts";

type State = { trail: string };

const setBuild = await new Builder({ root: `${import.meta.dirname}/fixtures/site` })
  .build({ snapshot: "memory" });
setBuild(site);

function ask<S>(app: App<S>, path: string, init?: RequestInit): Promise<Response> {
  return Promise.resolve(app.handler()(new Request(`http://localhost${path}`, init)));
}

const step = (name: string): Middleware<State> => (ctx) => {
  ctx.state.trail = (ctx.state.trail ?? "") + name;
  return ctx.next();
};

const tellTrail = (ctx: Context<State>) => new Response(ctx.state.trail);

Deno.test("App runs middlewares in the order of their calls", async () => {
  const app = new App<State>().use(step("a"), step("b")).use(step("c")).use(tellTrail);
  assertEquals(await (await ask(app, "/anywhere")).text(), "abc");
});

Deno.test("App answers HEAD by GET without a body, and keeps status and headers", async () => {
  const response = await ask(site, "/blog/x", { method: "HEAD" });
  assertEquals([response.status, response.headers.get("X-Page")], [200, "1"]);
  assertEquals(await response.text(), "");
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
    const response = await ask(site, `/redirect?to=${encodeURIComponent(target)}`);
    assertEquals([response.status, response.headers.get("Location")], [302, location]);
  }
  assertEquals((await ask(site, "/redirect", { method: "POST" })).status, 303);
});

Deno.test("App hides the text of unknown errors, tells that of an HttpError, and logs what it answers 500", async () => {
  const { error } = console;
  const logged: unknown[] = [];
  console.error = (thrown: Error) => logged.push(thrown.name);
  try {
    for (const query of ["?thrown", "?rejected", "?nothing"]) {
      const response = await ask(site, `/failing${query}`);
      assertEquals(response.status, 500, query);
      assertEquals(await response.text(), "Internal server error");
    }
    assertEquals((await ask(site, "/failing?broken")).status, 500);
    const gone = await ask(site, "/failing?gone");
    assertEquals([gone.status, await gone.text()], [410, "It left"]);
  } finally {
    console.error = error;
  }
  assertEquals(logged, ["Error", "Error", "TypeError", "HttpError"]);
});

Deno.test("a middleware can catch what comes after it, and finds the error in the context", async () => {
  const app = new App<unknown>()
    .use(async (ctx) => {
      try {
        return await ctx.next();
      } catch (error) {
        return new Response(`caught ${ctx.error === error} ${(error as Error).message}`);
      }
    })
    .fsRoutes();
  setBuild(app);
  for (const query of ["?thrown", "?rejected"]) {
    assertEquals(await (await ask(app, `/failing${query}`)).text(), "caught true secret");
  }
  assertEquals(await (await ask(app, "/nowhere")).text(), "caught true Not Found");
});

Deno.test("a file under routes/ that is neither a route nor a kind of its own stops the start", () => {
  const app = new App<unknown>().fsRoutes();
  const bad = [{ id: "/_layout", mod: {} }, { id: "/none", mod: {} }];
  for (const item of bad) {
    // deno-lint-ignore no-explicit-any -- only what is read of a build
    const cache = { snapshot: { version: "x", fsItems: [item] } } as any;
    setBuildCache(app, cache);
    assertThrows(() => app.handler(), Error, `routes${item.id}`);
  }
});
