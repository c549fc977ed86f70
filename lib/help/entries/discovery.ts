import { HOLDER_DAY_CAPS, LIMITS, RATE_LIMITS } from "../../limits.ts";
import { formatCount } from "../../text/count.ts";
import { paths } from "../../urls.ts";
import type { HelpTopic } from "../types.ts";

/** Finding, ranking and voting. */
export const discoveryTopic: HelpTopic = ({ urls, slug }) => [
  {
    id: "find-projects",
    q: "How do I search for projects?",
    a: `\`GET ${paths.apiListings}?q=…\` with any of category, tool, pricing, tag, sort, limit and offset; ` +
      `on the site, ${
        urls.to(paths.projects)
      }. Each word of q counts as the beginning of a word in name, ` +
      "tagline, tags, tools, category, address or description, all words must match, and small typos are " +
      "forgiven.",
    audience: "both",
    tags: ["search", "api"],
  },
  {
    id: "sort-orders",
    q: "What do hot, new and top mean?",
    a: "hot: `(votes + clicks * 0.1 + 1) / (age in hours + 2)^1.5`, highest first. new: newest first. " +
      `top: most votes of all time. Ties go to the newer project. More at ${
        urls.to(paths.ranking)
      }.`,
    audience: "both",
    tags: ["ranking", "sort"],
  },
  {
    id: "why-this-order",
    q: "Why does a project rank where it does?",
    a: `Add \`explain=1\` to \`${paths.apiListings}\`: each project then has its votes, clicks, age in ` +
      "hours and hot score. Nothing else goes into the order.",
    audience: "both",
    tags: ["ranking", "explain"],
  },
  {
    id: "payment-and-rank",
    q: "Can I pay for a better rank?",
    a: "No. Promotion and sponsorship change no score and no order of hot, new, top or search. They buy " +
      "labeled spots of their own.",
    audience: "both",
    tags: ["ranking", "promotion"],
  },
  {
    id: "trending",
    q: "Where do I see what is trending?",
    a: "`GET /api/v1/trending` has the Front Row, promoted, hot, new and gem projects. " +
      "`GET /api/v1/trending/full` adds projects that gained votes within 24 hours, new ones of the week, " +
      "top skills and the leader of the best-AI poll.",
    audience: "both",
    tags: ["trending", "api"],
  },
  {
    id: "gems",
    q: "What is a hidden gem?",
    a: "A young project that a daily scout picked: 12 hours to 14 days old, never promoted, with a full " +
      "entry and few votes so far; at most one per domain per day. Its note says why. Gems are not for sale. " +
      "List them with `gems=1`.",
    audience: "both",
    tags: ["gems", "ranking"],
  },
  {
    id: "vote",
    q: "How do I vote for a project?",
    a: "Press the arrow on its page, or `POST /api/v1/projects/<slug>/vote`. One upvote per voter and project; " +
      "voting again changes nothing, and `DELETE` takes it back.",
    audience: "both",
    tags: ["vote", "unvote", "api"],
  },
  {
    id: "who-is-a-voter",
    q: "How do you know who has voted?",
    a: "A voter is a salted hash of network address and user agent; the address itself is never stored. " +
      `Up to ${LIMITS.votersPerNetworkDay} voters per network, ${HOLDER_DAY_CAPS.voters} per IPv6 /48, count on one project a day.`,
    audience: "both",
    tags: ["vote", "privacy"],
  },
  {
    id: "vote-limit",
    q: "How often may I vote?",
    a: `${RATE_LIMITS.votes} vote actions an hour per network, over all projects. Casting a vote again ` +
      "and taking it back count as actions too.",
    audience: "both",
    tags: ["vote", "limits"],
  },
  {
    id: "may-agents-vote",
    q: "May AI agents vote?",
    a: "Yes, by the same rules as people: one vote per voter and project, the same limits, the same weight.",
    audience: "both",
    tags: ["vote", "agents"],
  },
  {
    id: "clicks",
    q: "What counts as a click?",
    a: `A visit through \`/go/<slug>\`, which leads to the project with \`ref=${slug}\`. A visitor counts ` +
      `at most ${LIMITS.clicksPerVisitorHour} times an hour on one project, and all those of a network ` +
      `or IPv6 /48 ${HOLDER_DAY_CAPS.clicks} times in 24 hours (on all projects together ` +
      `${formatCount(LIMITS.visitsPerNetworkHour)} an hour); crawlers, those that ` +
      "feed AI too, prefetching and HEAD requests do not count. A fetch made by an AI for its user does count.",
    audience: "both",
    tags: ["clicks", "ranking"],
  },
  {
    id: "pages-of-a-list",
    q: "How do I read a long list?",
    a: `Lists have \`total\`, \`limit\` (default ${LIMITS.pageSizeDefault}, at most ${LIMITS.pageSizeMax}), ` +
      "`offset` and `nextOffset`, which is null on the last page. The `Link` header names the next and previous page.",
    audience: "agent",
    tags: ["api", "paging", "pagination"],
  },
  {
    id: "follow-changes",
    q: "How do I keep a copy up to date?",
    a: `Follow \`${paths.apiChanges}?since=…\` with the \`nextSince\` of the answer before: it names every ` +
      "record that was created or approved, updated, promoted, a gem from now on, hidden or shown again; votes and " +
      "visits are no changes. Begin with `since=1970-01-01T00:00:00Z` for all of them, or without it for the latest. " +
      "Hidden ones come as tombstones, with `url` null. Ask again right away " +
      "while `more` is true, else after a while. The last ten seconds are sent again: the same `id` is the same " +
      "change. There are no webhooks.",
    audience: "agent",
    tags: ["api", "sync", "changes"],
  },
  {
    id: "crawl",
    q: "May I crawl the site, or take a copy of all of it?",
    a: "Yes. robots.txt allows everyone search, answers and training (`Content-Signal`), and closes only `/go/` " +
      `and \`/checkout/\`. Every project as text: ${urls.to(paths.llmsFull)}. Every address: ` +
      `${
        urls.to(paths.sitemap)
      }. As data: \`GET ${paths.apiListings}\` and \`GET ${paths.apiSkills}\`, at most ` +
      `${LIMITS.pageSizeMax} a page. A skill has the license that it names.`,
    audience: "agent",
    tags: ["robots", "scrape", "train", "export", "bulk", "download", "dump", "license"],
  },
  {
    id: "feeds",
    q: "Are there feeds?",
    a: `Yes: RSS at ${urls.to(paths.feed)} and JSON Feed at ${urls.to(paths.jsonFeed)}. ` +
      "`/c/<category>/feed.xml` has the projects of a category, `/t/<tool>/feed.xml` those built with a tool; " +
      "with `feed.json` as JSON Feed. Each has the newest 50.",
    audience: "both",
    tags: ["feed", "rss", "follow", "subscribe"],
  },
  {
    id: "vocabularies",
    q: "Which categories, tools and accents are there?",
    a: `They and the pricing models are listed in \`${paths.apiMeta}\`, with the limits and tiers. \`/api/v1/categories\` and ` +
      "`/api/v1/tools` add how many live projects each has.",
    audience: "both",
    tags: ["api", "meta"],
  },
];
