/** What the server sends the browser about a document's islands. */
export interface IslandsState {
  buildId: string;
  islands: { island: string; props: Record<string, unknown> }[];
}

/**
 * The state as JSON that is safe inside a script element. Throws a TypeError for props that JSON
 * can't express.
 */
export function encodeIslands(state: IslandsState): string {
  for (const { props } of state.islands) requireJson(props);
  return JSON.stringify(state).replaceAll("<", "\\u003c");
}

function requireJson(value: unknown): void {
  // An object literal or a list, but not an element: those have no constructor.
  const { constructor } = (value ?? {}) as object;
  if (typeof value === "object" && (constructor === Object || constructor === Array)) {
    return Object.values(value ?? {}).forEach(requireJson);
  }
  const isPlain = value === null || ["undefined", "string", "boolean"].includes(typeof value);
  if (isPlain || Number.isFinite(value)) return;
  throw new TypeError(`Cannot pass ${String(value)} (${typeof value}) to an island as a prop`);
}
