import { Signal, signal } from "@preact/signals";

/** What the server tells the browser about the islands of one document. */
export interface IslandsState {
  buildId: string;
  islands: { island: string; props: Record<string, unknown> }[];
}

/**
 * The state as JSON that may stand inside a script element. Props are what JSON can say, and signals
 * of that; throws a TypeError for anything else. A signal is written once, as `{"$": index}`, so
 * that one that several islands share is one signal again in the browser; an object with a key `$`
 * of its own is wrapped in another.
 */
export function encodeIslands(state: IslandsState): string {
  const signals: Signal[] = [];
  const values: unknown[] = [];
  const encode = (value: unknown): unknown => {
    if (value instanceof Signal) {
      let index = signals.indexOf(value);
      if (index === -1) {
        index = signals.push(value) - 1;
        values[index] = encode(value.peek());
      }
      return { $: index };
    }
    if (Array.isArray(value)) return value.map(encode);
    if (isRecord(value)) {
      const copy = mapValues(value, encode);
      return "$" in value ? { $: copy } : copy;
    }
    const isPlain = value === null || ["undefined", "string", "boolean"].includes(typeof value);
    if (isPlain || Number.isFinite(value)) return value;
    throw new TypeError(`Cannot pass ${String(value)} (${typeof value}) to an island as a prop`);
  };
  const islands = state.islands.map((item) => ({ ...item, props: mapValues(item.props, encode) }));
  return JSON.stringify({ ...state, islands, signals: values }).replaceAll("<", "\\u003c");
}

/** Reads what {@linkcode encodeIslands} wrote. */
export function decodeIslands(json: string): IslandsState {
  const state = JSON.parse(json) as IslandsState & { signals: unknown[] };
  const signals: unknown[] = [];
  const decode = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(decode);
    if (typeof value !== "object" || value === null) return value;
    if (!("$" in value)) return mapValues(value, decode);
    const content = value.$;
    if (typeof content === "object") return mapValues(content!, decode);
    const index = content as number;
    return signals[index] ??= signal(decode(state.signals[index]));
  };
  const islands = state.islands.map((item) => ({ ...item, props: mapValues(item.props, decode) }));
  return { ...state, islands };
}

function mapValues(record: object, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** Whether a value is an object literal, and no element: those have no constructor. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return (value as object | null | undefined)?.constructor === Object;
}
