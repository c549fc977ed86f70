import type { Deps } from "../deps.ts";
import { type Entity, entity } from "../http/respond.ts";
import { buildDocument } from "../openapi/document.ts";
import { fixedDocument } from "./cache.ts";

/** The OpenAPI document. To make it takes a twentieth of a second. */
export function openApi(deps: Deps): Entity {
  const { env, urls } = deps;
  return fixedDocument(deps, "openapi", () => entity(JSON.stringify(buildDocument(env, urls))));
}
