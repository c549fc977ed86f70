import { DomainError } from "./errors.ts";

/** The record of an entry, if it is a live listing or skill. Throws `not_found` for any other. */
export function requireLive<T extends { state: string }>({ value }: { value: unknown }): T {
  const record = value as T | null;
  if (record?.state !== "live") throw new DomainError("not_found");
  return record;
}
