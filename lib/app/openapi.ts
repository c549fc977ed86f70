import { fixedDocument } from "../documents/cache.ts";
import { type Entity, entity } from "../http/respond.ts";
import { buildDocument } from "../openapi/document.ts";
import type { Deps } from "./deps.ts";
import { operations } from "./operations.ts";

/** The OpenAPI document. Building it takes a twentieth of a second. */
export function openApi(deps: Deps): Entity {
  const { env, urls } = deps;
  const make = () => entity(JSON.stringify(buildDocument(operations, env, urls)));
  return fixedDocument(deps, "openapi", make);
}
