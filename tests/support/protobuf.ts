/** Reads one protobuf message's fields: only varints and length-delimited ones, which is enough. */
export class Reader {
  readonly #fields = new Map<number, (bigint | Uint8Array)[]>();

  constructor(bytes: Uint8Array) {
    let at = 0;
    const varint = () => {
      let value = 0n;
      for (let shift = 0n;; shift += 7n) {
        const byte = bytes[at++]!;
        value |= BigInt(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    while (at < bytes.length) {
      const tag = Number(varint());
      const kind = tag & 7;
      let value: bigint | Uint8Array;
      if (kind === 0) value = varint();
      else if (kind === 2) {
        const length = Number(varint());
        value = bytes.subarray(at, at += length);
      } else throw new Error(`wire type ${kind} is not used here`);
      const field = tag >> 3;
      this.#fields.set(field, [...this.#fields.get(field) ?? [], value]);
    }
  }

  number(field: number): number {
    return Number(this.#fields.get(field)?.at(-1) ?? 0n);
  }

  bytes(field: number): Uint8Array {
    return (this.#fields.get(field)?.at(-1) as Uint8Array | undefined) ?? new Uint8Array();
  }

  messages(field: number): Reader[] {
    return (this.#fields.get(field) ?? []).map((bytes) => new Reader(bytes as Uint8Array));
  }

  message(field: number): Reader | undefined {
    return this.messages(field).at(-1);
  }
}

/** Writes one protobuf message's fields. */
export class Writer {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  number(field: number, value: number): this {
    this.#add(varint(field << 3));
    return this.#add(varint(value));
  }

  bytes(field: number, value: Uint8Array): this {
    this.#add(varint((field << 3) | 2));
    this.#add(varint(value.length));
    return this.#add(value);
  }

  message(field: number, value: Writer): this {
    return this.bytes(field, value.finish());
  }

  finish(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  #add(part: Uint8Array): this {
    this.#parts.push(part);
    this.#length += part.length;
    return this;
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  while (value >= 0x80) {
    bytes.push((value & 0x7f) | 0x80);
    value = Math.floor(value / 128);
  }
  return Uint8Array.from([...bytes, value]);
}
