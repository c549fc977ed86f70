#!/usr/bin/env -S deno run --watch=static,routes,islands,components,lib
import { Builder } from "fresh/dev";

const builder = new Builder();
if (Deno.args.includes("build")) {
  await builder.build();
} else {
  const { deps } = await import("./main.ts");
  await builder.listen(() => import("./main.ts"), {
    hostname: deps.env.host,
    port: deps.env.port,
  });
}
