import { categories } from "@/lib/catalog/categories.ts";
import { BROWSER } from "../support/user_agents.ts";
import { pick, type Random, wholeNumber } from "./from_schema.ts";
import type { GeneratedRequest } from "./requests.ts";

/** An ordinary request, to be sent from an address behind one trusted proxy. */
interface OrdinaryRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

const WORDS = ["editor", "notes", "agent", "game", "shop", "music", "tide", "server", "test"];

/**
 * Generates a directory's usual requests: mostly lists, records, pages and feeds, a tenth of them
 * votes, a few searches, MCP calls, check-ins, ballots and copies, and one new listing or skill in
 * two hundred.
 */
export function ordinaryTraffic(slugs: string[], random: Random): () => OrdinaryRequest {
  let made = 0;
  return () => {
    const kind = random();
    const slug = pick(random, slugs);
    const list = `/api/v1/projects?sort=${pick(random, ["hot", "new", "top"])}`;
    const category = pick(random, categories).slug;
    if (kind < 0.15) return get(`${list}&offset=${wholeNumber(random, 0, 20) * 30}`);
    if (kind < 0.2) return get(`/api/v1/projects?q=${pick(random, WORDS)}&category=${category}`);
    if (kind < 0.35) return get(`/api/v1/projects/${slug}`);
    if (kind < 0.45) return get(`/p/${slug}`, "text/html");
    if (kind < 0.55) {
      return get(pick(random, ["/", "/c/" + category, "/poll", "/skills"]), "text/html");
    }
    if (kind < 0.65) {
      const texts = [
        "/feed.xml",
        "/llms.txt",
        "/sitemap.xml",
        "/api/v1/trending",
        "/api/v1/changes",
      ];
      return get(pick(random, texts));
    }
    if (kind < 0.7) return get(`/api/v1/projects/${slug}/badge.svg`);
    if (kind < 0.75) return get(`/go/${slug}`, "text/html");
    if (kind < 0.85) {
      const method = random() < 0.8 ? "POST" : "DELETE";
      return { ...get(`/api/v1/projects/${slug}/vote`), method };
    }
    if (kind < 0.92) return mcp("search_projects", { query: pick(random, WORDS) });
    if (kind < 0.94) return mcp("get_project", { slug });
    if (kind < 0.96) {
      const candidate = pick(random, ["claude", "chatgpt", "gemini", "grok"]);
      return post("/api/v1/poll/vote", {
        candidate,
        reason: `Reason ${wholeNumber(random, 0, 99)}`,
      });
    }
    if (kind < 0.98) {
      const agentName = `Agent ${wholeNumber(random, 0, 5_000)}`;
      return post("/api/v1/guestbook", { agentName, catchphrase: "Here again" });
    }
    if (kind < 0.985) return post("/api/v1/promote", { slug, tierId: "bump-3" });
    if (kind < 0.995) return get("/api/v1/guestbook");
    made++;
    const mark = `${made}-${wholeNumber(random, 0, 1_000_000)}`;
    if (made % 3 === 0) {
      const content = `Read the notes of ${mark} and answer in plain words.\n`.repeat(20);
      const skill = { title: `Skill ${mark}`, summary: "Reads notes", kind: "prompt", content };
      return post("/api/v1/skills", skill);
    }
    return post("/api/v1/projects", {
      name: `Steady ${mark}`,
      url: `https://steady-${mark}.example.com`,
      tagline: "Made while the load runs",
      description: "A description of the usual length. ".repeat(12),
      category,
    });
  };
}

/** A request of the hostile generator in the same form; null if `fetch` can't send it. */
export function toSendable({ path, init }: GeneratedRequest): [string, RequestInit] | null {
  const { address, userAgent, method, headers, body } = init;
  const all = new Headers();
  try {
    for (const [name, value] of Object.entries(headers as Record<string, string>)) {
      all.set(name, value);
    }
    all.set("x-forwarded-for", address!);
    if (!all.has("user-agent")) all.set("user-agent", userAgent!);
    if (all.get("content-length") !== null) all.delete("content-length");
    const options: RequestInit = { method, headers: all, redirect: "manual" };
    if (body !== undefined && method !== "GET" && method !== "HEAD") options.body = body;
    new Request(new URL(path, "http://127.0.0.1"), options);
    return [path, options];
  } catch {
    return null;
  }
}

function get(path: string, accept = "*/*"): OrdinaryRequest {
  const agent = accept === "text/html" ? BROWSER : "curl/8.5.0";
  return { method: "GET", path, headers: { accept, "user-agent": agent } };
}

function post(path: string, value: unknown): OrdinaryRequest {
  return {
    method: "POST",
    path,
    headers: { "content-type": "application/json", "user-agent": "curl/8.5.0" },
    body: JSON.stringify(value),
  };
}

function mcp(name: string, args: unknown): OrdinaryRequest {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const request = post("/api/mcp", call);
  request.headers.accept = "application/json, text/event-stream";
  return request;
}
