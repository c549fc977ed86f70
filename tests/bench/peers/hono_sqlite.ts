// The same lists the usual way: Hono over node:sqlite, prepared statements, a stored and indexed hot score.
// `hono_sqlite.ts <our server>` copies its listings into SQLite, then serves.
import { Hono } from "hono";
import { DatabaseSync } from "node:sqlite";
import type { PublicListing } from "@/lib/listings/schema.ts";
import { allListings } from "./listings.ts";

const db = new DatabaseSync(":memory:");
db.exec(`
  CREATE TABLE listings (
    slug TEXT PRIMARY KEY, name TEXT, url TEXT, tagline TEXT, description TEXT, category TEXT, tags TEXT,
    built_with TEXT, pricing TEXT, accent TEXT, accent_name TEXT, logo_url TEXT, repo_url TEXT,
    submitted_by TEXT, votes INTEGER, clicks INTEGER, created_at INTEGER, updated_at INTEGER, hot REAL
  ) STRICT;
  CREATE INDEX by_hot ON listings (hot DESC, created_at DESC, slug);
  CREATE INDEX by_new ON listings (created_at DESC, slug);
  CREATE INDEX by_top ON listings (votes DESC, created_at DESC, slug);
  CREATE INDEX by_category_hot ON listings (category, hot DESC, created_at DESC, slug);
`);
// The hot order may change while it is read.
const insert = db.prepare(
  `INSERT OR REPLACE INTO listings VALUES (${Array(19).fill("?").join(", ")})`,
);
db.exec("BEGIN");
let hot = 0;
for await (const l of allListings(Deno.args[0]!)) {
  // deno-fmt-ignore
  insert.run(
    l.slug, l.name, l.url, l.tagline, l.description, l.category, JSON.stringify(l.tags),
    JSON.stringify(l.builtWith), l.pricing, l.accent, l.accentName, l.logoUrl, l.repoUrl, l.submittedBy,
    l.votes, l.clicks, Date.parse(l.createdAt), Date.parse(l.updatedAt), hot--,
  );
}
db.exec("COMMIT; ANALYZE;");

const ORDERS = {
  hot: "hot DESC, created_at DESC, slug",
  new: "created_at DESC, slug",
  top: "votes DESC, created_at DESC, slug",
};
const statements = Object.fromEntries(
  Object.entries(ORDERS).map(([sort, order]) => [sort, {
    all: db.prepare(`SELECT * FROM listings ORDER BY ${order} LIMIT ? OFFSET ?`),
    category: db.prepare(
      `SELECT * FROM listings WHERE category = ? ORDER BY ${order} LIMIT ? OFFSET ?`,
    ),
  }]),
);
const countAll = db.prepare("SELECT count(*) AS n FROM listings");
const countCategory = db.prepare("SELECT count(*) AS n FROM listings WHERE category = ?");

const base = "http://projectory.test";
// deno-lint-ignore no-explicit-any -- rows of the table above
function toPublic(row: any): PublicListing {
  return {
    slug: row.slug,
    name: row.name,
    url: row.url,
    tagline: row.tagline,
    description: row.description,
    category: row.category,
    tags: JSON.parse(row.tags),
    builtWith: JSON.parse(row.built_with),
    pricing: row.pricing,
    accent: row.accent,
    accentName: row.accent_name,
    logoUrl: row.logo_url,
    repoUrl: row.repo_url,
    submittedBy: row.submitted_by,
    linkCheck: null,
    signedBy: null,
    verified: null,
    votes: row.votes,
    clicks: row.clicks,
    promoted: false,
    sponsored: false,
    placement: null,
    promotion: null,
    gem: null,
    health: { state: "unknown", since: null, checkedAt: null },
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    page: `${base}/p/${row.slug}`,
    goUrl: `${base}/go/${row.slug}`,
    apiUrl: `${base}/api/v1/projects/${row.slug}`,
    badgeUrl: `${base}/api/v1/projects/${row.slug}/badge.svg`,
  };
}

const app = new Hono();
app.get("/", (c) => c.text("ready"));
app.get("/api/v1/projects", (c) => {
  const { all, category: byCategory } = statements[c.req.query("sort") ?? "hot"]!;
  const limit = Number(c.req.query("limit") ?? 30);
  const offset = Number(c.req.query("offset") ?? 0);
  const category = c.req.query("category");
  const rows = category === undefined
    ? all.all(limit, offset)
    : byCategory.all(category, limit, offset);
  const total = (category === undefined ? countAll.get() : countCategory.get(category))!
    .n as number;
  const nextOffset = offset + limit < total ? offset + limit : null;
  return c.json({ ok: true, projects: rows.map(toPublic), total, limit, offset, nextOffset });
});

Deno.serve(
  { port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1", onListen() {} },
  app.fetch,
);
