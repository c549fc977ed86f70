import { assert, assertEquals } from "@std/assert";
import { createIdentity } from "@/lib/http/identity.ts";
import type { ServerProcess } from "../support/server.ts";
import { TEST_SETTINGS } from "../support/settings.ts";
import { assertConsistent, votesOf } from "./votes_audit.ts";

const identity = createIdentity(TEST_SETTINGS.HASH_SALT);
const FIXED_SLUGS = 3;

/** What one client knows of its own writes: the last acknowledged state, and a possible one. */
interface Known<T> {
  sure: T;
  maybe?: T;
}

/**
 * One client: it sends requests one at a time from its own address, and knows what was
 * acknowledged. As documented, a 503 `storage_unavailable` counts as "nothing was changed".
 */
export class Client {
  /** By slug and address: each round votes from a new address, below the hourly limit. */
  readonly votes = new Map<string, Known<boolean> & { slug: string; address: string }>();
  readonly created: { slug: string; url: string }[] = [];
  /** Taglines of this client's listings, changed by edits. */
  readonly taglines = new Map<string, Known<string> & { editKey: string }>();
  readonly unexpected: string[] = [];
  /** URLs whose submission got a 503: nothing may be there. */
  readonly refusedUrls: string[] = [];
  acknowledged = 0;
  refused = 0;
  #submissions = 0;

  /** `outages`: KV may be down, so a 503 is allowed. */
  constructor(
    readonly id: number,
    readonly random: () => number,
    readonly outages = false,
  ) {}

  /** Sends until the server is gone, or until `signal`. */
  async run(
    server: ServerProcess,
    { slugs, round, signal }: { slugs: string[]; round: number; signal?: AbortSignal },
  ): Promise<void> {
    for (let i = 0; !signal?.aborted; i++) {
      try {
        const dice = this.random();
        if (dice < 0.15) await this.#submit(server, round, i);
        else if (dice < 0.3) await this.#edit(server, `${round}.${i}`);
        else await this.#vote(server, slugs[Math.floor(this.random() * slugs.length)]!, round);
      } catch (error) {
        if (error instanceof TypeError) return; // the connection broke: the server is gone
        throw error;
      }
    }
  }

  async #send(
    server: ServerProcess,
    method: string,
    path: string,
    options: { json?: unknown; editKey?: string; address: string },
  ): Promise<Record<string, unknown> | null> {
    const { status, body } = await server.json(path, {
      method,
      userAgent: `client ${this.id}`,
      ...options,
    });
    if (status === 429) return null;
    if (this.outages && status === 503) {
      assertEquals(body.error.code, "storage_unavailable");
      this.refused++;
      return null;
    }
    if (status >= 300) {
      this.unexpected.push(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    }
    this.acknowledged++;
    return body;
  }

  async #vote(server: ServerProcess, slug: string, round: number): Promise<void> {
    const voted = this.random() < 0.6;
    const address = `198.18.${round}.${this.id + 1}`;
    const key = `${slug} ${address}`;
    const before = this.votes.get(key) ?? { sure: false, slug, address };
    this.votes.set(key, { ...before, maybe: voted });
    const path = `/api/v1/projects/${slug}/vote`;
    const body = await this.#send(server, voted ? "POST" : "DELETE", path, { address });
    this.votes.set(key, { slug, address, sure: body === null ? before.sure : voted });
    if (body !== null) assertEquals(body.voted, voted);
  }

  async #submit(server: ServerProcess, round: number, i: number): Promise<void> {
    const n = this.#submissions++;
    const url = `https://c${this.id}-${round}-${i}.example.com/`;
    const body = await this.#send(server, "POST", "/api/v1/projects", {
      json: { name: `Client ${this.id}`, url, tagline: "start" },
      address: `203.0.${this.id}.${n % 250}`,
    });
    if (body === null) {
      this.refusedUrls.push(url);
      return;
    }
    const { slug } = body.project as { slug: string };
    this.created.push({ slug, url });
    this.taglines.set(slug, { sure: "start", editKey: body.editKey as string });
  }

  async #edit(server: ServerProcess, tagline: string): Promise<void> {
    const own = [...this.taglines.keys()].at(-1);
    if (own === undefined) return;
    const before = this.taglines.get(own)!;
    this.taglines.set(own, { ...before, maybe: tagline });
    const body = await this.#send(server, "PATCH", `/api/v1/projects/${own}`, {
      json: { tagline },
      editKey: before.editKey,
      address: `198.19.${1 + this.id}.${Math.floor(this.random() * 250)}`,
    });
    if (body !== null) this.taglines.set(own, { sure: tagline, editKey: before.editKey });
    else this.taglines.set(own, { sure: before.sure, editKey: before.editKey });
  }
}

/** Lists what every client votes on; returns the slugs. */
export async function listFixed(server: ServerProcess): Promise<string[]> {
  const slugs: string[] = [];
  while (slugs.length < FIXED_SLUGS) {
    const n = slugs.length;
    const json = { name: `Fixed ${n}`, url: `https://fixed${n}.example.com/`, tagline: "Voted on" };
    const { body } = await server.json("/api/v1/projects", { json, address: "192.0.2.9" });
    slugs.push(body.project.slug);
  }
  return slugs;
}

/**
 * Asserts that what the clients were told is what is stored (invariants 1, 4, 6 and 8), neither
 * lost nor doubled, and settles what may have happened. Nothing may be in progress.
 */
export async function assertAcknowledged(
  kv: Pick<Deno.Kv, "get" | "list">,
  { clients, slugs, label }: { clients: Client[]; slugs: string[]; label: string },
): Promise<void> {
  const listings = await assertConsistent(kv, label);
  for (const client of clients) {
    assertEquals(client.unexpected, [], label);
    for (const { slug, url } of client.created) {
      assertEquals(listings.get(slug)?.url, url, `${label}: acknowledged listing ${slug}`);
    }
    for (const [slug, { sure, maybe }] of client.taglines) {
      const tagline = listings.get(slug)?.tagline;
      assert(
        tagline === sure || tagline === maybe,
        `${label}: ${slug} says ${tagline}, acknowledged ${sure}, sent ${maybe}`,
      );
      client.taglines.get(slug)!.sure = tagline!;
      delete client.taglines.get(slug)!.maybe;
    }
  }
  const urls = [...listings.values()].map((listing) => listing.url);
  for (const url of clients.flatMap((client) => client.refusedUrls)) {
    assert(!urls.includes(url), `${label}: ${url} was refused, and is there`);
  }
  assertEquals(new Set(urls).size, urls.length, `${label}: no submission is doubled`);
  const stored = new Map<string, Set<string>>();
  for (const slug of slugs) stored.set(slug, (await votesOf(kv, slug)).voters);
  for (const client of clients) {
    for (const vote of client.votes.values()) {
      const network = identity.network(vote.address);
      const voter = identity.voter(network, `client ${client.id}`);
      const voted = stored.get(vote.slug)!.has(voter);
      assert(
        voted === vote.sure || voted === vote.maybe,
        `${label}: vote of ${vote.address} on ${vote.slug} is ${voted}, acknowledged ${vote.sure}`,
      );
      vote.sure = voted;
      delete vote.maybe;
    }
  }
}
