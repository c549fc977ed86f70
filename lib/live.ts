import { notFound } from "./errors.ts";

/** What an operation says that takes the slug of a project in its body, where none is live. */
export const NO_PROJECT = "No live project has this slug, the last part of its page's address";

/**
 * The record of an entry, if it is a live listing or skill. Throws `not_found` for any other, with
 * `message` if it is given.
 */
export function requireLive<T extends { state: string }>(
  { value }: { value: unknown },
  message?: string,
): T {
  const record = value as T | null;
  if (record?.state !== "live") throw notFound(message);
  return record;
}
