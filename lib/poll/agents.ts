import { notFound } from "../errors.ts";
import { nameKey } from "../text/name_key.ts";
import type { Deps } from "./deps.ts";
import { pollKeys } from "./keys.ts";

/** The name of an agent that votes, as it was first spelled; an object while it is hidden. */
export type StoredAgent = string | { hidden: string };

/** The name to show, or null for one that is hidden or that nobody has voted under. */
export function shownName(stored: StoredAgent | null | undefined): string | null {
  return typeof stored === "string" ? stored : null;
}

/** The names that are hidden in the poll, as they were first spelled. */
export async function listHiddenAgents({ store }: Deps): Promise<string[]> {
  const hidden: string[] = [];
  for await (const { value } of store.list<StoredAgent>({ prefix: pollKeys.allAgents })) {
    if (typeof value !== "string") hidden.push(value.hidden);
  }
  return hidden;
}

/**
 * Hides the name of an agent in the poll, in any spelling that counts as the same, or shows it
 * again; its ballots count on. Returns the name as it was first spelled, and whether that changed
 * anything. Throws `not_found`.
 */
export function setAgentHidden(
  { store }: Deps,
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
    tx.change({ kind: "site", slug: "poll", event: hidden ? "agent_hidden" : "agent_shown" });
    return { name, changed: true };
  });
}
