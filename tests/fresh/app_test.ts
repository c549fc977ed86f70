// deno-lint-ignore-file no-console -- the framework logs what it answers 500 to
import { assertEquals, assertThrows } from "@std/assert";
import { App, type Context, type Middleware } from "fresh";
import { app as site } from "./fixtures/site/main.ts";
import { setBuild } from "./site.ts";

type State = { trail: string };

function ask<S>(app: App<S>, path: string, init?: RequestInit): Promise<Response> {
  return Promise.resolve(app.handler()(new Request(`http://localhost${path}`, init)));
}

const step = (name: string): Middleware<State> => (ctx) => {
  ctx.state.trail = (ctx.state.trail ?? "") + name;
  return ctx.next();
};

const tellTrail = (ctx: Context<State>) => new Response(ctx.state.trail);

Deno.test("App runs middleware in the order it was added", async () => {
  const app = new App<State>().use(step("a"), step("b")).use(step("c")).use(tellTrail);
  assertEquals(await (await ask(app, "/anywhere")).text(), "abc");
});

Deno.test("App handles HEAD like GET, without a body", async () => {
  const response = await ask(site, "/blog/x", { method: "HEAD" });
  assertEquals([response.status, response.headers.get("X-Page")], [200, "1"]);
  assertEquals(await response.text(), "");
});

Deno.test("ctx.redirect never redirects a path to another host", async () => {
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

Deno.test("App hides unknown errors, shows an HttpError's message, and logs every 500", async () => {
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

Deno.test("middleware can catch later errors, and finds them in the context", async () => {
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

Deno.test("a file under routes/ without a known role stops startup", () => {
  const app = new App<unknown>().fsRoutes();
  const bad = [{ id: "/_layout", mod: {} }, { id: "/none", mod: {} }];
  for (const item of bad) {
    // deno-lint-ignore no-explicit-any -- only what is read of a build
    const cache = { snapshot: { version: "x", fsItems: [item] } } as any;
    app.setBuildCache(cache);
    assertThrows(() => app.handler(), Error, `routes${item.id}`);
  }
});
