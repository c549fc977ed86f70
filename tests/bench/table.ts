import type { Row } from "./harness.ts";

/** Columns of the table and their widths. */
const COLUMNS: [name: string, width: number][] = [
  ["what", 52],
  ["figure", 30],
  ["wanted", 8],
  ["", 3],
  ["took", 6],
  ["from", 0],
];

/** Prints the head of the table. */
export function printHead(): void {
  printLine(COLUMNS.map(([name]) => name));
  printLine(COLUMNS.map(([name, width]) => "-".repeat(width || name.length)));
}

/** Prints one row of the table, which took `tookMs` to measure. */
export function printRow(row: Row, tookMs: number): void {
  const { what, figure, unit, wanted, from = "" } = row;
  const { atLeast, atMost } = wanted ?? {};
  const bound = atLeast !== undefined
    ? `>= ${atLeast}`
    : atMost !== undefined
    ? `<= ${atMost}`
    : "";
  const verdict = wanted === undefined ? "" : isMet(row) ? "OK" : "NO";
  printLine([what, `${format(figure)} ${unit}`, bound, verdict, seconds(tookMs), from]);
}

/** Prints a line of text under the table. */
export function printLast(text: string): void {
  // deno-lint-ignore no-console -- the table is what the command is for
  console.log(`\n${text}`);
}

/** Whether a row meets its target; true if it has none. */
export function isMet({ figure, wanted }: Row): boolean {
  return (wanted?.atLeast === undefined || figure >= wanted.atLeast) &&
    (wanted?.atMost === undefined || figure <= wanted.atMost);
}

/** A time in whole seconds. */
export function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

function printLine(cells: string[]): void {
  // deno-lint-ignore no-console -- the table is what the command is for
  console.log(cells.map((cell, i) => cell.padEnd(COLUMNS[i]![1])).join("  ").trimEnd());
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
