import { assertEquals } from "@std/assert";
import type { Context } from "fresh";
import type { State } from "@/lib/app/define.ts";
import { guard } from "@/lib/app/guard.ts";
import { parseEnv } from "@/lib/env.ts";
import { createUrls } from "@/lib/urls.ts";
import { TEST_SETTINGS } from "../support/settings.ts";

Deno.test("the address is checked at the first request, and again at the first one from a proxy", async () => {
  const events: string[] = [];
  const write = (event: string) => void events.push(event);
  const env = parseEnv({ ...TEST_SETTINGS, TRUSTED_PROXIES: "0" });
  const log = { debug: write, info: write, warn: write, error: write };
  const middleware = guard({ urls: createUrls(env.baseUrl), env, log });
  const eventsOf = async (headers: Record<string, string>) => {
    events.length = 0;
    const info = { remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 } };
    const req = new Request("http://localhost/", { headers: { host: "localhost", ...headers } });
    await middleware({ req, info, next: () => new Response() } as unknown as Context<State>);
    return events.join();
  };
  const forwarded = { "x-forwarded-for": "198.51.100.4" };
  assertEquals(await eventsOf({}), "client_address");
  assertEquals(await eventsOf({}), "");
  assertEquals(await eventsOf(forwarded), "client_address,setting");
  assertEquals(await eventsOf(forwarded), "");
});
