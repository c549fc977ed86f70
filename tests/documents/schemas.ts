import { assert } from "@std/assert";
import { validateXML } from "xmllint-wasm";
import { schemaValidator } from "../support/json_schema.ts";

const ajv = schemaValidator();

const uri = { type: "string", format: "uri" };
const text = { type: "string", minLength: 1 };
const dateTime = { type: "string", format: "date-time" };
const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const list = (items: unknown, minItems = 0) => ({ type: "array", items, minItems });

/** The summaries of the MCP tools. Each MCP document has all of them. */
const tools = list(object({ name: text, title: text, description: text }), 23);

/** JSON Feed 1.1 (jsonfeed.org/version/1.1), as far as these feeds use it. */
export const JSON_FEED = object({
  version: { const: "https://jsonfeed.org/version/1.1" },
  title: text,
  home_page_url: uri,
  feed_url: uri,
  description: text,
  language: text,
  items: list(object({
    id: text,
    url: uri,
    external_url: uri,
    title: text,
    content_html: text,
    summary: text,
    date_published: dateTime,
    date_modified: dateTime,
    authors: list(object({ name: text }), 1),
    tags: list(text),
  }, ["id", "url", "title", "content_html", "date_published", "date_modified", "tags"])),
});

const link = object({ href: uri, type: text }, ["href"]);
const links = list(link, 1);

/** A link set as JSON (RFC 9264) with the relations that RFC 9727 names for API catalogues. */
export const LINK_SET = object({
  linkset: list(
    object({
      "anchor": uri,
      "service-desc": links,
      "service-doc": links,
      "service-meta": links,
    }, ["anchor", "service-desc"]),
    1,
  ),
});

/** What an MCP server card and the registry's `server.json` both say about the server. */
const server = {
  name: {
    type: "string",
    pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$",
    minLength: 3,
    maxLength: 200,
  },
  title: { ...text, maxLength: 100 },
  description: { ...text, maxLength: 100 },
  version: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+$" },
  websiteUrl: uri,
};

/** The parts of the MCP registry's `server.json` that are used here. */
export const SERVER_JSON = object({
  $schema: {
    const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  },
  ...server,
  icons: list(object({
    src: { ...uri, pattern: "^https:", maxLength: 255 },
    mimeType: { enum: ["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"] },
    sizes: list({ type: "string", pattern: "^(\\d+x\\d+|any)$" }),
  })),
  remotes: list(object({ type: { enum: ["streamable-http", "sse"] }, url: uri })),
}, ["$schema", "name", "description", "version"]);

/** An MCP server card (SEP-2127). */
export const SERVER_CARD = object({
  $schema: { const: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json" },
  ...server,
  remotes: list(
    object({
      type: { const: "streamable-http" },
      url: uri,
      supportedProtocolVersions: list({ type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" }, 1),
    }),
    1,
  ),
  _meta: {
    type: "object",
    propertyNames: { pattern: "/" },
    additionalProperties: object({ tools, discovery: uri }),
  },
});

/** Our MCP discovery document. */
export const MCP_DISCOVERY = object({
  name: text,
  description: text,
  version: text,
  instructions: text,
  endpoint: uri,
  transport: { const: "streamable-http" },
  protocolVersions: list({ type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" }, 2),
  authentication: object({ required: { const: false } }),
  capabilities: { type: "object" },
  tools,
  serverCard: uri,
  serverJson: uri,
  documentation: uri,
});

/** Asserts that a JSON text fits a schema. */
export function assertJson(body: string, schema: object): void {
  assert(ajv.validate(schema, JSON.parse(body)), `${ajv.errorsText()}\n${body.slice(0, 2000)}`);
}

/** Asserts that text is well-formed XML 1.0 and, if a schema is given, valid against it. */
export async function assertXml(body: string, schema?: string): Promise<void> {
  const xml = [{ fileName: "document.xml", contents: body }];
  const options = schema === undefined
    ? { xml, extension: "schema" as const, schema: [ANYTHING] }
    : {
      xml,
      extension: "schema" as const,
      schema: [await Deno.readTextFile(new URL(`schemas/${schema}.xsd`, import.meta.url))],
    };
  const { valid, errors } = await validateXML(options);
  assert(valid, `${errors.map(({ message }) => message).join("\n")}\n${body.slice(0, 2000)}`);
}

/** Any SVG: it only has to be well-formed. */
const ANYTHING =
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/2000/svg">
  <xs:element name="svg"><xs:complexType mixed="true">
    <xs:sequence><xs:any processContents="skip" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
    <xs:anyAttribute processContents="skip"/>
  </xs:complexType></xs:element>
</xs:schema>`;
