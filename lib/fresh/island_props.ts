import { type ReadonlySignal, signal } from "@preact/signals";

/** A child of an island that was rendered on the server and stays in the document. */
export interface SlotRef {
  slot: number;
}

/** What the server tells the browser about the islands of one document. */
export interface IslandsState {
  buildId: string;
  /** URL of the script of each island, by its name. */
  chunks: Record<string, string>;
  islands: { island: string; props: Record<string, unknown> }[];
}

/** JSON cannot say these; they are written as `{"$": [tag, value]}`. */
type Tagged = { $: [tag: string, value?: unknown] };

/**
 * The state as JSON that may stand inside a script element. A signal that several islands share
 * is written once and is one signal again in the browser.
 */
export function encodeIslands(state: IslandsState): string {
  const signals: ReadonlySignal[] = [];
  const values: unknown[] = [];
  const encode = (value: unknown): unknown => {
    switch (typeof value) {
      case "undefined":
        return { $: ["undefined"] } satisfies Tagged;
      case "bigint":
        return { $: ["bigint", String(value)] } satisfies Tagged;
      case "number":
        return Number.isFinite(value) ? value : { $: ["number", String(value)] } satisfies Tagged;
      case "function":
      case "symbol":
        throw new TypeError(`Cannot pass a ${typeof value} to an island as a prop`);
      case "object":
        break;
      default:
        return value;
    }
    if (value === null) return null;
    if (Array.isArray(value)) return value.map(encode);
    if (isSignal(value)) {
      let index = signals.indexOf(value);
      if (index === -1) {
        index = signals.push(value) - 1;
        values[index] = encode(value.peek());
      }
      return { $: ["signal", index] } satisfies Tagged;
    }
    if (value instanceof Date) return { $: ["date", value.getTime()] } satisfies Tagged;
    if (value instanceof URL) return { $: ["url", value.href] } satisfies Tagged;
    if (value instanceof Set) return { $: ["set", [...value].map(encode)] } satisfies Tagged;
    if (value instanceof Map) {
      return { $: ["map", [...value].map((entry) => entry.map(encode))] } satisfies Tagged;
    }
    const copy = Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, encode(item)]),
    );
    return "$" in value ? { $: ["object", copy] } satisfies Tagged : copy;
  };
  const islands = state.islands.map(({ island, props }) => {
    const encoded: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(props)) {
      encoded[name] = isSlotRef(value) ? { $: ["slot", value.slot] } : encode(value);
    }
    return { island, props: encoded };
  });
  return JSON.stringify({ ...state, islands, signals: values }).replaceAll("<", "\\u003c");
}

/** Reads what {@linkcode encodeIslands} wrote; `onSlot` makes the value of a slot. */
export function decodeIslands(json: string, onSlot: (id: number) => unknown): IslandsState {
  const state = JSON.parse(json) as IslandsState & { signals: unknown[] };
  const signals: unknown[] = [];
  const decode = (value: unknown): unknown => {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(decode);
    if (!("$" in value)) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item)]));
    }
    const [tag, content] = (value as Tagged).$;
    switch (tag) {
      case "bigint":
        return BigInt(content as string);
      case "number":
        return Number(content);
      case "signal":
        return signals[content as number] ??= signal(decode(state.signals[content as number]));
      case "date":
        return new Date(content as number);
      case "url":
        return new URL(content as string);
      case "set":
        return new Set((content as unknown[]).map(decode));
      case "map":
        return new Map((content as [unknown, unknown][]).map(([k, v]) => [decode(k), decode(v)]));
      case "object":
        return Object.fromEntries(
          Object.entries(content as object).map(([key, item]) => [key, decode(item)]),
        );
      case "slot":
        return onSlot(content as number);
      default:
        return undefined;
    }
  };
  const islands = state.islands.map(({ island, props }) => ({
    island,
    props: Object.fromEntries(Object.entries(props).map(([name, v]) => [name, decode(v)])),
  }));
  return { buildId: state.buildId, chunks: state.chunks, islands };
}

/** Whether a value is a signal of `@preact/signals`, of any copy of it. */
export function isSignal(value: unknown): value is ReadonlySignal {
  return typeof value === "object" && value !== null && "peek" in value &&
    typeof value.peek === "function" && "value" in value;
}

const slots = new WeakSet<object>();

/** Makes a reference that cannot be mistaken for a prop of the same shape. */
export function slotRef(slot: number): SlotRef {
  const ref = { slot };
  slots.add(ref);
  return ref;
}

function isSlotRef(value: unknown): value is SlotRef {
  return typeof value === "object" && value !== null && slots.has(value);
}
