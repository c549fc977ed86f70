import type { Core } from "../core.ts";
import { notFound } from "../errors.ts";
import { nameKey } from "../text/name_key.ts";
import { pollKeys } from "./keys.ts";

/** A voting agent's name as first spelled; an object while it is hidden. */
export type StoredAgent = string | { hidden: string };

/** The name to show; null if it is hidden or nobody has voted under it. */
export function shownName(stored: StoredAgent | null | undefined): string | null {
  return typeof stored === "string" ? stored : null;
}

/** The names hidden in the poll, as first spelled. */
export async function listHiddenAgents({ store }: Pick<Core, "store">): Promise<string[]> {
  const hidden: string[] = [];
  for await (const { value } of store.list<StoredAgent>({ prefix: pollKeys.allAgents })) {
    if (typeof value !== "string") hidden.push(value.hidden);
  }
  return hidden;
}

/**
 * Hides an agent's name in the poll, in any spelling that counts as the same, or shows it again;
 * its ballots still count. Returns the name as first spelled, and whether anything changed. Throws
 * `not_found`.
 */
export function setAgentHidden(
  { store }: Pick<Core, "store">,
  options: { agentName: string; hidden: boolean },
): Promise<{ name: string; changed: boolean }> {
  const { agentName, hidden } = options;
  return store.transact(async (tx) => {
    const { key, value } = await tx.get<StoredAgent>(pollKeys.agent(nameKey(agentName)));
    if (value === null) throw notFound(`Nobody has voted as ${agentName}`);
    const isHidden = typeof value !== "string";
    const name = isHidden ? value.hidden : value;
    if (isHidden === hidden) return { name, changed: false };
    tx.set(key, (hidden ? { hidden: name } : name) satisfies StoredAgent);
    tx.change({ kind: "site", slug: "poll", event: "agent_changed" });
    return { name, changed: true };
  });
}
