import { type Entity, entity } from "../http/respond.ts";
import { buildDocument } from "../openapi/document.ts";
import type { Deps } from "./deps.ts";
import { operations } from "./operations.ts";

/** The OpenAPI document. Cached, because building it takes 50 ms. */
export function openApi({ answers, env, urls }: Deps): Entity {
  const make = () => entity(JSON.stringify(buildDocument(operations, env, urls)));
  return (answers.get("openapi") ?? answers.set("openapi", { content: make() })).content;
}
