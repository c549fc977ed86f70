/** What the server tells the browser about the islands of one document. */
export interface IslandsState {
  buildId: string;
  islands: { island: string; props: Record<string, unknown> }[];
}

/**
 * The state as JSON that may stand inside a script element. Props are what JSON can say; throws a
 * TypeError for anything else.
 */
export function encodeIslands(state: IslandsState): string {
  for (const { props } of state.islands) requireJson(props);
  return JSON.stringify(state).replaceAll("<", "\\u003c");
}

function requireJson(value: unknown): void {
  // An object literal or a list, and no element: those have no constructor.
  const { constructor } = (value ?? {}) as object;
  if (typeof value === "object" && (constructor === Object || constructor === Array)) {
    return Object.values(value ?? {}).forEach(requireJson);
  }
  const isPlain = value === null || ["undefined", "string", "boolean"].includes(typeof value);
  if (isPlain || Number.isFinite(value)) return;
  throw new TypeError(`Cannot pass ${String(value)} (${typeof value}) to an island as a prop`);
}
