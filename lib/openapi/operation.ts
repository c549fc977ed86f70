import type { z } from "zod";
import type { ErrorCode } from "../errors.ts";
import type { Tag } from "./tags.ts";

/** One successful answer of an operation. */
export interface OperationResponse {
  description: string;
  /** The shape of a JSON body; absent for other types. */
  schema?: z.ZodType;
  /** The content type when it is not JSON; several where the address negotiates. */
  type?: string | string[];
  /** A whole body as an example. */
  example?: unknown;
  /** Response headers worth naming: name to description. */
  headers?: Record<string, string>;
  /** The operations that take the slug of what was made, and where the body has it. */
  links?: { slug: string; operations: readonly string[] };
}

/** One row of the route table: a method on a path, as the OpenAPI document describes it. */
export interface Operation {
  method: "get" | "post" | "patch" | "delete";
  /** With parameters in braces, such as /api/v1/projects/{slug}. */
  path: string;
  operationId: string;
  tag: Tag;
  summary: string;
  description?: string;
  /** What each path parameter is, where its name does not say it. */
  params?: Record<string, string>;
  query?: z.ZodObject;
  /** Whether it reads X-Agent-Name. */
  agentName?: boolean;
  /** Whether no answer of this reading may be kept: it depends on the caller, or changes at once. */
  unkept?: boolean;
  /** Whether it reads Idempotency-Key. */
  idempotencyKey?: boolean;
  /** Whether it needs the edit key. */
  editKey?: boolean;
  body?: { schema: z.ZodType; example: unknown; isOptional?: true };
  /** By status. A dry run, which answers 200, stands under `DRY_RUN`. */
  responses: Record<string, OperationResponse>;
  /** The error codes that do not follow from the method, the path and the input. */
  errors?: ErrorCode[];
}

/**
 * The status under which a dry run is described. Generators of clients that know one success take the
 * lowest status: under 200 that would be the dry run, and the edit key of the 201 would be lost.
 */
export const DRY_RUN = "2XX";

/** The rule of every edit. */
export const PATCH_RULE =
  "Fields you leave out stay as they are. null clears an optional field. Read-only fields are rejected.";
