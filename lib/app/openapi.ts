import { type Entity, entity } from "../http/respond.ts";
import { buildDocument } from "../openapi/document.ts";
import type { Deps } from "./deps.ts";
import { operations } from "./operations.ts";

/** The OpenAPI document. It is made only once, since that takes a twentieth of a second. */
export function openApi({ documents, env, urls }: Deps): Entity {
  return documents.get("openapi") ??
    documents.set("openapi", entity(JSON.stringify(buildDocument(operations, env, urls))));
}
