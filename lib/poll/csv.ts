import { type ExportRow, Standing } from "./schema.ts";

const COLUMNS = ["day", "group", ...Object.keys(Standing.shape)] as (keyof ExportRow)[];

/** Rows as CSV (RFC 4180), with a header line and CRLF line endings. */
export function toCsv(rows: readonly ExportRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => cell(row[column])).join(","));
  return [COLUMNS.join(","), ...lines].join("\r\n") + "\r\n";
}

/** A cell. Text that a spreadsheet would run as a formula gets a leading apostrophe. */
function cell(value: string | number | boolean | null): string {
  if (typeof value !== "string") return String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
