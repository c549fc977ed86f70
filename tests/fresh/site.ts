import { Builder } from "fresh/dev";
import { app } from "./fixtures/site/main.ts";

/** The folder of the site that the tests of the framework serve. */
export const root = `${import.meta.dirname}/fixtures/site`;

/** Gives an app the site's build, which all files of this folder share. */
export const setBuild = await new Builder({ root }).build({ snapshot: "memory" });
setBuild(app);

/** Responds like the site. */
export const handler = app.handler();

/** Requests a path of the site. */
export function get(path: string, init?: RequestInit): Promise<Response> {
  return Promise.resolve(handler(new Request(`http://localhost${path}`, init)));
}
