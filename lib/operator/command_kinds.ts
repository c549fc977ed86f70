import { isoTime } from "../clock.ts";
import { createEditKey } from "../entries/edit_key.ts";
import type { EntryKind } from "../entries/entries.ts";
import { entryKey } from "../entries/keys.ts";
import { notFound } from "../errors.ts";
import { notify } from "../notices/outbox.ts";
import { endProof, type StoredRecord } from "../owners/verification.ts";
import { reasonClass } from "./actions.ts";
import type { Command } from "./command.ts";
import type { Deps } from "./deps.ts";

/** The option for the reason, which the public log shows. */
export const reasonOption = {
  reason: { values: reasonClass.options, default: "other" },
};

/** A command that lists records in one of `states` (by default the first), newest first. */
export function listCommand<
  T extends { slug: string; state: string; createdAt: number; network?: string },
>(
  options: {
    /** The list's name in the data. */
    name: string;
    prefix: Deno.KvKey;
    states: readonly string[];
    summary: string;
    /** What is shown of a record besides its slug, network and date: as data, and in its line. */
    row: (record: T) => Record<string, string>;
    line: (record: T) => string[];
  },
): Command {
  const { name, prefix, states, summary, row, line } = options;
  return {
    options: {
      state: { values: states, default: states[0]! },
      limit: { default: "50", isCount: true },
    },
    summary,
    async run({ deps, options }) {
      const { state } = options;
      const found: T[] = [];
      for await (const { value } of deps.store.list<T>({ prefix })) {
        if (value.state === state) found.push(value);
      }
      found.sort((a, b) => b.createdAt - a.createdAt);
      const items = found.slice(0, Number(options.limit));
      const total = found.length;
      return {
        lines: [
          ...items.map((record) => {
            const { slug, createdAt, network = "-" } = record;
            return [isoTime(createdAt), slug, network, ...line(record)].join("  ");
          }),
          `${total} ${state}`,
        ],
        data: {
          [name]: items.map((record) => ({
            slug: record.slug,
            ...row(record),
            network: record.network ?? null,
            createdAt: isoTime(record.createdAt),
          })),
          total,
        },
      };
    },
  };
}

/** A command that gives an entry a new edit key. */
export function rekeyCommand(kind: EntryKind): Command {
  return {
    args: ["slug"],
    summary: `Give a ${kind} a new edit key, shown only once; the old one stops working`,
    action: `${kind}_rekeyed`,
    async run({ deps, args }) {
      const slug = args.slug!;
      const editKey = await rekey(deps, kind, slug);
      return {
        lines: [`The edit key of ${slug} is ${editKey}`],
        data: { changed: true, editKey },
        preview: { lines: [`${slug} gets a new edit key`], data: { changed: true } },
      };
    },
  };
}

/**
 * Gives an entry in any state a new edit key, returned only once. The old key stops working, and so
 * does its holder's proof of ownership: anyone who controls the place can prove it again. Throws
 * `not_found`.
 */
function rekey(deps: Deps, kind: EntryKind, slug: string): Promise<string> {
  const { editKey, keyHash } = createEditKey();
  return deps.store.transact(async (tx) => {
    const { key, value } = await tx.get<StoredRecord>(entryKey(kind, slug));
    if (value === null) throw notFound(`No ${kind} has the slug ${slug}`);
    if (kind === "listing") await notify(tx, slug, { type: "key_replaced" });
    const rekeyed = { ...value, keyHash };
    if (value.verified) await endProof(tx, kind, rekeyed);
    else tx.set(key, rekeyed);
    return editKey;
  });
}
