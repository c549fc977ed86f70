/** Stripe's wire format: form-encoded parameters in, error objects out. */

/** A parameter tree: strings at the leaves. */
export type Params = { [name: string]: string | Params | (string | Params)[] };

/** What a parameter may be: a leaf, free keys (metadata), an object, or a list of one shape. */
export type Shape = "leaf" | "map" | { [name: string]: Shape } | [Shape];

/** An API response other than success. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly extra: Record<string, unknown> = {},
  ) {
    super(message);
  }

  body(): Record<string, unknown> {
    return { error: { type: this.type, message: this.message, ...this.extra } };
  }
}

/** A parameter error: Stripe saves no result of it under an idempotency key. */
export class ParameterError extends ApiError {
  constructor(message: string, param?: string, code?: string) {
    super(400, "invalid_request_error", message, {
      ...(param === undefined ? {} : { param }),
      ...(code === undefined ? {} : { code }),
    });
  }
}

/** Decodes `a[b][0][c]=d` into a tree; keys 0, 1, 2, ... become a list. */
export function decodeForm(text: string): Params {
  const root: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/[^[\]]+/g)].map((match) => match[0]);
    let node = root;
    for (const key of path.slice(0, -1)) node = (node[key] ??= {}) as Params;
    const last = path.at(-1)!;
    if (name.endsWith("[]")) {
      node[last] = [...((node[last] as string[]) ?? []), value];
    } else node[last] = value;
  }
  return listify(root) as Params;
}

function listify(
  node: Params | string | (string | Params)[],
): Params | string | (string | Params)[] {
  if (typeof node === "string" || Array.isArray(node)) return node;
  const keys = Object.keys(node);
  const values = keys.map((key) => listify(node[key]!));
  if (keys.length > 0 && keys.every((key, i) => key === String(i))) return values as Params[];
  return Object.fromEntries(keys.map((key, i) => [key, values[i]!])) as Params;
}

/** Throws for the first parameter that isn't in the shape. */
export function checkShape(params: unknown, shape: Shape, path = ""): void {
  if (shape === "leaf") {
    if (typeof params !== "string") throw new ParameterError(`Invalid string: ${path}`, path);
    return;
  }
  if (shape === "map") {
    const entries = Object.entries(params as Record<string, unknown>);
    if (entries.length > 50) throw new ParameterError("Metadata can have up to 50 keys", path);
    for (const [key, value] of entries) {
      if (key.length > 40 || typeof value !== "string" || value.length > 500) {
        throw new ParameterError("Metadata keys have up to 40 characters, values up to 500", path);
      }
    }
    return;
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(params)) throw new ParameterError(`Invalid array: ${path}`, path);
    params.forEach((item, i) => checkShape(item, shape[0]!, `${path}[${i}]`));
    return;
  }
  if (typeof params !== "object" || params === null || Array.isArray(params)) {
    throw new ParameterError(`Invalid object: ${path}`, path);
  }
  for (const [key, value] of Object.entries(params)) {
    const at = path === "" ? key : `${path}[${key}]`;
    if (!Object.hasOwn(shape, key)) {
      throw new ParameterError(`Received unknown parameter: ${at}`, at, "parameter_unknown");
    }
    checkShape(value, shape[key]!, at);
  }
}

/** A whole number in a range, or a parameter error. */
export function wholeNumber(value: unknown, param: string, min = 0, max = 99_999_999): number {
  if (typeof value !== "string" || !/^-?\d+$/.test(value)) {
    throw new ParameterError(`Invalid integer: ${value}`, param, "parameter_invalid_integer");
  }
  const number = Number(value);
  if (number < min) throw new ParameterError(`This value must be at least ${min}`, param);
  if (number > max) throw new ParameterError(`This value must be at most ${max}`, param);
  return number;
}
