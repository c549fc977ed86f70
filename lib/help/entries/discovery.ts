import { HOLDER_DAY_CAPS, LIMITS, RATE_LIMITS } from "../../limits.ts";
import { formatCount } from "../../text/count.ts";
import { paths } from "../../urls.ts";
import type { HelpTopic } from "../types.ts";

/** Finding, ranking and voting. */
export const discoveryTopic: HelpTopic = ({ urls, env }) => ({
  "find-projects": {
    q: "How do I search for projects?",
    a: `On [the projects page](${
      urls.to(paths.projects)
    }), or with \`GET ${paths.apiListings}?q=…\` and any of ` +
      `category, tool, pricing, tag, sort, limit and offset. Use plain words: ` +
      "other forms of a word, synonyms and small typos match too, and not every word has to. " +
      "`figma alternative` finds projects like Figma.",
    tags: ["search", "api"],
  },
  "sort-orders": {
    q: "What do hot, new and top mean?",
    a: "hot is `(votes + clicks * 0.1 + 1) / (age in hours + 2)^1.5`, highest first. new is newest first. " +
      `top is most votes of all time. Ties go to the newer project. More on [how ranking works](${
        urls.to(paths.ranking)
      }).`,
    tags: ["ranking", "sort"],
  },
  "why-this-order": {
    q: "Why does a project rank where it does?",
    a: `Add \`explain=1\` to \`${paths.apiListings}\` to see each project's votes, clicks, age in ` +
      "hours and hot score. Nothing else affects the order.",
    tags: ["ranking", "explain", "top"],
  },
  "payment-and-rank": {
    q: "Can I pay for a better rank?",
    a: "No. Promotion and sponsorship don't change any score, or the order of hot, new, top or search. They buy " +
      "separate, labeled spots.",
    tags: ["ranking", "promotion"],
  },
  "trending": {
    q: "Where can I see what's trending?",
    a: "`GET /api/v1/trending` returns the Front Row, promoted, hot, new and gem projects. " +
      "`GET /api/v1/trending/full` returns projects gaining votes in the last 24 hours, this week's new projects and " +
      "top skills, and the leader of the best-AI poll.",
    tags: ["trending", "api"],
  },
  "gems": {
    q: "What is a hidden gem?",
    a: "A new project that the site picked: 12 hours to 14 days old, never promoted, with a detailed " +
      "page and few votes so far. At most one per domain per day. Its note says why. Gems are not for sale. " +
      "List them with `gems=1`.",
    tags: ["gems", "ranking"],
  },
  "vote": {
    q: "How do I vote for a project?",
    a: "Click its arrow; click again to take your vote back. Or send `POST /api/v1/projects/<slug>/vote`, which " +
      "changes nothing the second time, and `DELETE` to take it back. Both count toward " +
      `a limit of ${RATE_LIMITS.votes} an hour per network, across all projects.`,
    tags: ["vote", "unvote", "api", "limits", "how often"],
  },
  "who-is-a-voter": {
    q: "How do you know who has voted?",
    a: "We recognize voters by a salted hash of network and browser, and never store the address. " +
      `Up to ${LIMITS.votersPerNetworkDay} voters per network (${HOLDER_DAY_CAPS.voters} per IPv6 /48) count toward a project each day.`,
    tags: ["vote", "privacy"],
  },
  "may-agents-vote": {
    q: "Can AI agents vote?",
    a: "Yes, by the same rules as people: one vote per project, with the same limits and the same weight.",
    tags: ["vote", "agents", "robots", "bots"],
  },
  "clicks": {
    q: "What counts as a click?",
    a: `A visit through \`/go/<slug>\`, which leads to the project with \`ref=${env.siteSlug}\`. Up to ` +
      `${LIMITS.clicksPerVisitorHour} an hour count per visitor and project, ${HOLDER_DAY_CAPS.clicks} in 24 hours per ` +
      `network (or IPv6 /48) and project, and ${
        formatCount(LIMITS.visitsPerNetworkHour)
      } an hour per network. ` +
      "Crawlers (including AI crawlers), prefetches and HEAD requests don't count. Visits that an AI makes for its user do.",
    tags: ["clicks", "ranking"],
  },
  "pages-of-a-list": {
    q: "How do I read a long list?",
    a: `Lists have \`total\`, \`limit\` (default ${LIMITS.pageSizeDefault}, at most ${LIMITS.pageSizeMax}), ` +
      "`offset` and `nextOffset`, which is null on the last page. The `Link` header links to the next and previous pages.",
    audience: "agent",
    tags: ["api", "paging", "pagination"],
  },
  "follow-changes": {
    q: "How do I keep a copy up to date?",
    a: `Poll \`${paths.apiChanges}?since=…\` with \`nextSince\` from the last response. It lists every ` +
      "change to projects and skills, but no votes or clicks. Start with `since=1970-01-01T00:00:00Z` for everything, or without " +
      "`since` for the latest. `url` is null for hidden and withdrawn entries. While `more` is true, " +
      "request the next page right away; otherwise, wait a while. Each response repeats the ten seconds before `since`, so skip any `id` you already " +
      "have. There are no webhooks for changes.",
    audience: "agent",
    tags: ["api", "sync", "changes"],
  },
  "crawl": {
    q: "Can I crawl or copy the whole site?",
    a: "Yes. robots.txt allows search, AI answers and training (`Content-Signal`), and blocks only `/go/` " +
      `and \`/checkout/\`. [The sitemap](${
        urls.to(paths.sitemap)
      }) lists every page, and [one text file](${
        urls.to(paths.llmsFull)
      }) has every project. Skills can have licenses of their own.`,
    audience: "agent",
    tags: ["robots", "scrape", "train", "copy", "license", "scraping"],
  },
  "feeds": {
    q: "Are there feeds?",
    a: `Yes: [RSS](${
      urls.to(paths.feed)
    }) for all projects, \`/c/<category>/feed.xml\`, \`/t/<tool>/feed.xml\`, ` +
      "`/tags/<tag>/feed.xml` and `/skills/feed.xml`. For JSON Feed, replace `feed.xml` with `feed.json`. Each feed has " +
      "the newest 50 entries.",
    tags: ["feed", "rss", "follow", "subscribe"],
  },
  "vocabularies": {
    q: "What categories, tools and accents are there?",
    a: `\`${paths.apiMeta}\` lists them, with pricing models, limits and tiers. \`/api/v1/categories\` and ` +
      "`/api/v1/tools` also give the number of live projects in each.",
    tags: ["api", "meta"],
  },
});
