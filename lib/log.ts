import { LOG_LEVELS, type LogLevel } from "./env.ts";
import { DomainError } from "./errors.ts";

/** Structured logs: one JSON object per line on stderr. Never pass addresses, keys or user text. */
export interface Log {
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

/** Makes a log that writes events of `level` and above. */
export function createLog(level: LogLevel): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  const at = (name: LogLevel) => {
    if (LOG_LEVELS.indexOf(name) < threshold) return () => {};
    return (event: string, fields: Record<string, unknown> = {}) => {
      const line = { time: new Date().toISOString(), level: name, event, ...fields };
      // deno-lint-ignore no-console -- the one place that writes logs
      console.error(JSON.stringify(line));
    };
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/**
 * What a log can say about an error: name, message and stack, which by our rules contain no user
 * data. For a storage failure, what KV threw.
 */
export function errorFields(error: unknown): Record<string, unknown> {
  if (error instanceof DomainError && error.code === "storage_unavailable" && error.cause) {
    return errorFields(error.cause);
  }
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.name, message: error.message, stack: error.stack };
}
