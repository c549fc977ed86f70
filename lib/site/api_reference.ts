/** The OpenAPI document, prepared for the reference page. */
import type { oas31 } from "zod-openapi";
import { DRY_RUN } from "../openapi/operation.ts";

interface Operation
  extends Pick<oas31.OperationObject, "summary" | "description" | "tags" | "security"> {
  operationId: string;
  parameters?: (oas31.ParameterObject & { schema: oas31.SchemaObject })[];
  requestBody?: { content: Record<string, { schema: oas31.SchemaObject; example?: unknown }> };
  responses: Record<string, oas31.ResponseObject | oas31.ReferenceObject>;
}

interface Document {
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, oas31.SchemaObject>;
    responses: Record<string, oas31.ResponseObject>;
  };
}

/** A parameter or a body field. */
interface ReferenceField {
  name: string;
  /** `path`, `query`, `header` or `body`. */
  place: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** One operation in words. */
export type ReferenceOperation = ReturnType<typeof describe>;

/** Parameters of every read and errors of every call, which the page lists once. */
const COMMON = { header: "If-None-Match", statuses: ["304", "503"] };

/** Groups the operations of a document by tag, in the document's order. */
export function apiReference(source: unknown) {
  const document = source as Document;
  const groups = new Map(
    document.tags.map(({ name, description = "" }) => [
      name,
      { name, description, operations: [] as ReferenceOperation[] },
    ]),
  );
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const group = groups.get(operation.tags?.[0] ?? "");
      group?.operations.push(describe(document, { path, method, operation }));
    }
  }
  return [...groups.values()];
}

/** An operation of the document, with its path and method. */
interface PlacedOperation {
  path: string;
  method: string;
  operation: Operation;
}

function describe(document: Document, placed: PlacedOperation) {
  const { path, method, operation } = placed;
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? "",
    description: operation.description ?? "",
    fields: fieldsOf(document, operation),
    responses: Object.entries(operation.responses)
      .filter(([status]) => status !== "default" && !COMMON.statuses.includes(status))
      .map(([status, response]) => ({
        status: status === DRY_RUN ? "200" : status,
        description: resolve(document.components.responses, response).description,
      }))
      .sort((a, b) => Number(a.status) - Number(b.status)),
    // A command line that performs it.
    curl: curlOf(document, placed),
  };
}

/** The parameters, the edit key and the body fields. */
function fieldsOf(document: Document, operation: Operation): ReferenceField[] {
  const parameters = (operation.parameters ?? []).filter(({ name }) => name !== COMMON.header);
  const fields: ReferenceField[] = parameters.map((parameter) => ({
    name: parameter.name,
    place: parameter.in,
    type: typeName(document, parameter.schema) + defaultOf(parameter.schema),
    isRequired: parameter.required ?? false,
    description: parameter.description ??
      resolve(document.components.schemas, parameter.schema).description ?? "",
  }));
  if (takesEditKey(operation)) fields.push(EDIT_KEY);
  const body = bodyOf(operation);
  if (body === undefined) return fields;
  const { properties = {}, required = [] } = resolve(document.components.schemas, body.schema);
  for (const [name, schema] of Object.entries(properties)) {
    fields.push({
      name,
      place: "body",
      type: typeName(document, schema),
      isRequired: required.includes(name),
      description: schema.description ?? resolve(document.components.schemas, schema).description ??
        "",
    });
  }
  return fields;
}

function bodyOf({ requestBody }: Operation) {
  return Object.values(requestBody?.content ?? {})[0];
}

const EDIT_KEY: ReferenceField = {
  name: "X-Edit-Key",
  place: "header",
  type: "string",
  isRequired: true,
  description: "Your edit key. You can send `Authorization: Bearer pik_...` instead",
};

function takesEditKey({ security = [] }: Operation): boolean {
  return security.length > 0;
}

function curlOf(document: Document, { path, method, operation }: PlacedOperation): string {
  const example = bodyOf(operation)?.example;
  const url = document.servers[0]!.url + path.replace(/\{(\w+)\}/g, "<$1>");
  const parts = [`curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}"${url}"`];
  if (takesEditKey(operation)) parts.push(`-H "X-Edit-Key: pik_..."`);
  if (example !== undefined) {
    const json = JSON.stringify(example, null, 2).replaceAll("'", "'\\''");
    parts.push(`-H "Content-Type: application/json"`, `-d '${json}'`);
  }
  return parts.join(" \\\n  ");
}

/** A part, which can be a reference to one that several operations share. */
function resolve<T extends object>(
  components: Record<string, T>,
  part: T | oas31.ReferenceObject,
): T {
  const { $ref } = part as Partial<oas31.ReferenceObject>;
  return $ref === undefined ? part as T : components[$ref.split("/").at(-1)!]!;
}

function typeName(
  document: Document,
  given: oas31.SchemaObject | oas31.ReferenceObject,
): string {
  const schema = resolve(document.components.schemas, given);
  const variants = schema.anyOf ?? schema.oneOf;
  if (schema.enum !== undefined) return schema.enum.join(", ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === undefined && variants !== undefined) {
    return [...new Set(variants.map((variant) => typeName(document, variant)))].join(" or ");
  }
  const type = [schema.type ?? "any"].flat().join(" or ");
  if (type === "array") {
    const limit = schema.maxItems === undefined ? "" : `, up to ${schema.maxItems}`;
    return `list of ${typeName(document, schema.items ?? {})}${limit}`;
  }
  if (schema.properties !== undefined) {
    return `${type} of ${Object.keys(schema.properties).join(", ")}`;
  }
  return type + range(schema);
}

function defaultOf(schema: oas31.SchemaObject): string {
  return schema.default === undefined ? "" : `; default ${schema.default}`;
}

function range({ minimum, maximum, minLength, maxLength, pattern }: oas31.SchemaObject): string {
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
    return ` ${minimum ?? 0} to ${maximum}`;
  }
  if (minimum !== undefined) return `, ${minimum} or more`;
  if (maxLength !== undefined) return `, ${minLength ? `${minLength} to ` : "max "}${maxLength}`;
  if (pattern !== undefined) return ` like ${pattern}`;
  return "";
}
