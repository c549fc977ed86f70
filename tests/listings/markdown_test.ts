import { assertEquals } from "@std/assert";
import { badgeSnippets } from "@/lib/listings/badge.ts";
import { listingCard } from "@/lib/listings/markdown.ts";
import { rowOf, toPublicListing } from "@/lib/listings/row.ts";
import type { PublicListing } from "@/lib/listings/schema.ts";
import { createUrls } from "@/lib/urls.ts";
import { storedListing } from "../support/stored_listing.ts";

const at = "2026-03-04T12:00:00.000Z";
const stored = storedListing("ink-well", {
  name: "Ink *Well*",
  url: "https://ink.example.com/",
  tagline: "Dips <b>",
});
const bare = toPublicListing(
  rowOf(stored, { votes: 0, uses: 0, description: null, health: null }),
  createUrls("http://projectory.test"),
);

Deno.test("listingCard lists the given fields one per line, and escapes user text", () => {
  const full: PublicListing = {
    ...bare,
    description: "One\n# Two",
    category: "content",
    tags: ["ink", "well"],
    builtWith: ["claude", "human"],
    pricing: "free",
    repoUrl: "https://ink.example.com/source",
    submittedBy: "Ada *L*",
    votes: 2,
    clicks: 3,
    sponsored: true,
    promotion: { tierId: "bump-3", name: "Bump", endsAt: at },
    gem: { note: "Has *all*", since: at },
  };
  const head = ["# Ink \\*Well\\*", "", "Dips &lt;b>", ""];
  assertEquals(listingCard(full).split("\n"), [
    ...head,
    "- URL: <https://ink.example.com/>",
    "- Category: content",
    "- Tags: ink, well",
    "- Built with: claude, human",
    "- Pricing: free",
    "- Source code: <https://ink.example.com/source>",
    "- Votes: 2",
    "- Clicks: 3",
    "- Submitted by: Ada \\*L\\*",
    `- Listed: ${at}`,
    `- Updated: ${at}`,
    "- Paid placement: Sponsored: Front Row; Promoted: Bump",
    "- Hidden gem: Has \\*all\\*",
    "- Page: <http://projectory.test/p/ink-well>",
    "- Visit: <http://projectory.test/go/ink-well>",
    "",
    "> One",
    ">",
    "> **Two**",
    "",
  ]);
  assertEquals(listingCard(bare).split("\n"), [
    ...head,
    "- URL: <https://ink.example.com/>",
    "- Votes: 0",
    "- Clicks: 0",
    `- Listed: ${at}`,
    `- Updated: ${at}`,
    "- Page: <http://projectory.test/p/ink-well>",
    "- Visit: <http://projectory.test/go/ink-well>",
    "",
  ]);
});

Deno.test("badgeSnippets escape the name for Markdown and for HTML", () => {
  const { markdown, html } = badgeSnippets({ ...bare, name: `]("><b>` });
  assertEquals(markdown, `[![&#93;(">&lt;b>](${bare.badgeUrl})](${bare.page})`);
  const alt = "](&quot;&gt;&lt;b&gt;";
  const img = `<img src="${bare.badgeUrl}" alt="${alt}" height="24">`;
  assertEquals(html, `<a href="${bare.page}">${img}</a>`);
});
