import type { z } from "zod";
import type { ErrorCode } from "../errors.ts";
import type { Tag } from "./tags.ts";

/** One successful response of an operation. */
export interface OperationResponse {
  description: string;
  /** The schema of a JSON body; absent for other types. */
  schema?: z.ZodType;
  /** The content type if it isn't JSON; several if the address negotiates. */
  type?: string | string[];
  /** A complete body as an example. */
  example?: unknown;
  /** Response headers worth naming: name to description. */
  headers?: Record<string, string>;
  /**
   * Where in the body the created record's slug is. The document links to all operations on it:
   * those whose paths continue this one with `{slug}`.
   */
  createdSlug?: string;
}

/** A method on a path, as described in the OpenAPI document. */
export interface Operation {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With parameters in braces, such as /api/v1/projects/{slug}. */
  path: string;
  operationId: string;
  tag: Tag;
  summary: string;
  description?: string;
  /** What each path parameter is, if its name doesn't say so. */
  params?: Record<string, string>;
  query?: z.ZodObject;
  /** True if it reads X-Agent-Name. */
  agentName?: boolean;
  /** True if its responses must not be cached: they depend on the caller, or may change anytime. */
  unkept?: boolean;
  /** True if it reads Idempotency-Key. */
  idempotencyKey?: boolean;
  /** True if it requires the edit key. */
  editKey?: boolean;
  body?: { schema: z.ZodType; example: unknown; isOptional?: true };
  /** By status. A dry run, which responds with 200, is under `DRY_RUN`. */
  responses: Record<string, OperationResponse>;
  /** The error codes that don't follow from the method, the path and the input. */
  errors?: ErrorCode[];
}

/**
 * A feature's operations by method and path, such as "GET /api/v1/projects/{slug}". `tag` is
 * set only where it differs from the feature's.
 */
export type Operations = Record<
  string,
  Omit<Operation, "method" | "path" | "tag"> & { tag?: Tag }
>;

/**
 * The status under which a dry run is documented. Client generators that support one success status
 * pick the lowest: under 200 that would be the dry run, and the 201's edit key would be lost.
 */
export const DRY_RUN = "2XX";

/** The rule of every edit. */
export const PATCH_RULE =
  "Fields you leave out stay as they are. null clears an optional field. Read-only fields are rejected.";
