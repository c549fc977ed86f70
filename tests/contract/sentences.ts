/** A sentence of the contract, the test that fails where it does not hold, and the file under tests/ that has it. */
export type Sentence = readonly [sentence: string, file: string, test: string];

const SUBMIT = "skills/submit_test.ts";
const READ = "skills/read_test.ts";
const EDIT = "skills/edit_test.ts";
const VOTE = "skills/vote_copy_test.ts";
const POLL = "poll/poll_test.ts";
const POLL_RACE = "poll/race_test.ts";
const GUESTS = "guestbook/guestbook_test.ts";
const GUESTS_RACE = "guestbook/race_test.ts";
const STREAKS = "guestbook/streaks_test.ts";
const DAY = "ai_of_the_day/ai_of_the_day_test.ts";
const PALETTE = "ai_of_the_day/palette_test.ts";
const CATALOG = "catalog/catalog_test.ts";
const TOOLS = "mcp/tools_test.ts";

/** The parts on skills. */
export const SKILLS: readonly Sentence[] = [
  ["title: required, max 80 chars", SUBMIT, "title has 81 characters"],
  ["summary: required, max 200 chars", SUBMIT, "summary has 201 characters"],
  ["title, summary, kind and content are required", SUBMIT, "the body is empty"],
  ["kind: one of seven", CATALOG, "skill kinds"],
  ["kind: no other", SUBMIT, "POST /skills names every problem at once"],
  ["content: 20 chars at least", SUBMIT, "content has 19 characters"],
  ["content: 20000 chars at most", SUBMIT, "content has 20,001 characters"],
  ["Field limits are taken at their value", SUBMIT, "POST /skills accepts each field at its limit"],
  [
    "identical content is rejected as duplicate",
    SUBMIT,
    "POST /skills answers duplicate_skill with details.slug when the content is identical",
  ],
  [
    "identical content: one of many at once wins",
    SUBMIT,
    "POST /skills lets one of 20 identical contents win, and stores one record",
  ],
  ["worksWith: tool slugs", SUBMIT, "POST /skills names every problem at once"],
  ["tags: at most 6", SUBMIT, "there are seven tags"],
  ["license: a real SPDX identifier", SUBMIT, "license is no SPDX identifier"],
  ["license: one identifier, no expression", SUBMIT, "license is an expression of two"],
  ["origin: set to third-party when the submitter did not write it", SUBMIT, "origin is unknown"],
  [
    "sourceUrl: required with license when origin is third-party",
    SUBMIT,
    "third-party content has neither license nor source",
  ],
  [
    "the same after an edit",
    EDIT,
    "PATCH /skills/{slug} answers invalid_input when it takes the source from third-party content",
  ],
  [
    "skill-md is saved as .claude/skills/<slug>/SKILL.md; agents-md is appended to AGENTS.md or CLAUDE.md in " +
    "the repo root; cursor-rules is saved as .cursor/rules/<slug>.mdc",
    READ,
    "a skill of each kind says where it goes and how, with the hints of the contract",
  ],
  [
    "list: q (max 100), kind, worksWith, sort, limit 1 to 100, offset >= 0, and no other value",
    READ,
    "GET /skills answers invalid_input for values outside its enumerations and ranges",
  ],
  [
    "list: q, kind, worksWith, category",
    READ,
    "GET /skills filters by kind, worksWith, category and tag, and searches by q",
  ],
  [
    "list: sort hot, new, top, copied; default hot",
    READ,
    "GET /skills orders by votes for top, by copies for copied, and by both and age for hot",
  ],
  [
    "list: page of skills without content; limit default 30",
    READ,
    "GET /skills lists skills without content, newest first for sort=new, page by page",
  ],
  [
    "POST: 201 skill with a one-time editKey",
    SUBMIT,
    "POST /skills answers 201 with the skill, its facts and a one-time edit key",
  ],
  [
    "Only a hash of the edit key is stored; it cannot be shown again",
    SUBMIT,
    "POST /skills keeps no edit key: only its hash is in KV, and no answer shows it again",
  ],
  [
    "POST: 429 rate_limited; skill submissions: 5 per rolling hour",
    SUBMIT,
    "POST /skills answers rate_limited after 5 submissions of one network in a rolling hour",
  ],
  [
    "Requests rejected for invalid fields do not count toward the submission limit",
    SUBMIT,
    "POST /skills does not count requests rejected for invalid fields or duplicates",
  ],
  [
    "invalid_json: body is not a JSON object",
    SUBMIT,
    "POST /skills answers invalid_json when the body is not a JSON object",
  ],
  [
    "submissions_paused: operator paused new submissions",
    SUBMIT,
    "POST /skills answers submissions_paused while the operator pauses submissions",
  ],
  [
    "format raw returns bare content as plain text",
    READ,
    "GET /skills/{slug} keeps content byte for byte (",
  ],
  [
    "format md returns a card",
    READ,
    "GET /skills/{slug}?format=md is a card in which user text stays in its field",
  ],
  [
    "one skill as JSON by default",
    READ,
    "GET /skills/{slug} answers 304 to its own ETag, one for each form",
  ],
  [
    "not_found: no live skill with that identifier",
    READ,
    "GET /skills/{slug} answers not_found for a skill that is not there or hidden, in every form",
  ],
  [
    "PATCH: header X-Edit-Key; edit the skill",
    EDIT,
    "PATCH /skills/{slug} changes only the fields given, null clears, and the slug stays",
  ],
  [
    "A missing or wrong key gives 403 bad_edit_key. An unknown slug gives 404 not_found",
    EDIT,
    "PATCH /skills/{slug} answers not_found for an unknown slug and bad_edit_key for every wrong key",
  ],
  [
    "duplicate_skill on PATCH",
    EDIT,
    "PATCH /skills/{slug} moves the content reservation: the old content is free, the new one held",
  ],
  [
    "vote: upvote, remove, show own vote",
    VOTE,
    "vote on a skill: POST casts, POST again changes nothing, DELETE removes, GET shows",
  ],
  [
    "copy: counts an install or copy, once per voter per day",
    VOTE,
    "a copy counts once per voter and UTC day",
  ],
  [
    "get_skill: content, install hint, file name, raw URL, attribution, a ready download command; counts as one " +
    "install",
    TOOLS,
    "get_skill gives content, install hint, file name, raw URL, attribution and command, and counts as one install",
  ],
  [
    "search_skills, submit_skill and vote_skill say what the API says",
    TOOLS,
    "a ${generation} client calls all 23 tools, and each answers what the JSON API answers",
  ],
  [
    "npx skills add installs a skill-md skill",
    "skills/client_test.ts",
    "the client `npx skills add <base>/skills/<slug>` installs a skill-md skill, with or without frontmatter",
  ],
];

/** The parts on the poll. */
export const BEST_AI: readonly Sentence[] = [
  ["candidate: one of 18", CATALOG, "poll candidates"],
  ["invalid_candidate: poll candidate not in the list", POLL, "unknown candidate"],
  ["writeIn: required when candidate is other", POLL, "no write-in"],
  ["writeIn: max 30 chars", POLL, "write-in of 31"],
  ["writeIn: pattern letters, digits, space, dot, dash", POLL, "write-in with a slash"],
  ["reason: max 140 chars", POLL, "reason of 141"],
  [
    "reason: links and markup are stripped",
    POLL,
    "reasons: links and markup are stripped, what is left is shown",
  ],
  [
    "Field limits are taken at their value; X-Agent-Name max 60",
    POLL,
    "a write-in of 30, a reason of 140 and an agent name of 60 characters are accepted",
  ],
  [
    "Candidate records carry slug, name, maker, openWeights; groups all, ai_agent, human, other; every field of " +
    "GET /api/v1/poll",
    POLL,
    "GET /poll carries every field of the contract",
  ],
  [
    "query window, group, limit (int 1 to 250)",
    POLL,
    "GET /poll narrows by window and group and cuts lists at limit",
  ],
  [
    "myVote: null when the caller has not voted today",
    POLL,
    "a ballot is stored and answered; myVote is null before and the ballot after",
  ],
  [
    "One vote per voter per UTC day; voting again replaces it; changed is true",
    POLL,
    "one vote per voter per UTC day: voting again replaces it, changed is true",
  ],
  [
    "UTC day (boundary 00:00 UTC)",
    POLL,
    "ballots at 23:59:59.999 and 00:00:00.000 fall on different UTC days (invariant 16)",
  ],
  [
    "standings of today, 7d, 30d, all",
    POLL,
    "windows are UTC days: today, the last 7, the last 30, all",
  ],
  [
    "AI ballots count per self-identified agent; everyone else gets one ballot per network plus browser",
    POLL,
    "everyone but named agents gets one ballot per network plus browser",
  ],
  [
    "at most 25 agent identities per network origin per day; too_many_agent_identities",
    POLL,
    "at most 25 agent identities per network and day; known ones may vote again",
  ],
  [
    "at most 25, also when 60 arrive at once",
    POLL_RACE,
    "60 newcomers at once from one network: exactly 25 identities count (invariant 15)",
  ],
  [
    "Everyone else: no other cap than the hourly limit",
    POLL,
    "voters without a name are capped by the 30 requests an hour alone, whatever they call themselves",
  ],
  [
    "Voter classes: AI agents (known AI user agents, an X-Agent-Name header), humans (browsers), other automated " +
    "clients",
    POLL,
    "voter classes: AI agents, humans and other automated clients",
  ],
  [
    "every MCP vote counts as an AI-agent vote, by yourName",
    POLL,
    "every MCP vote counts as an AI agent's, keyed by yourName",
  ],
  [
    "vote_best_ai and best_ai_leaderboard over MCP",
    TOOLS,
    "what writes over MCP is what the API reads: ballot, check-in, copy, checkout and hold",
  ],
  [
    "Write-ins are grouped case-insensitively",
    POLL,
    "write-ins are grouped case-insensitively under their first spelling",
  ],
  [
    "at most 200 distinct names; write_in_limit",
    POLL_RACE,
    "240 write-in names at once: exactly 200 are kept, the others get write_in_limit",
  ],
  [
    "Reasons matching a spam or profanity blocklist are kept private",
    POLL,
    "reasons matching the blocklist are kept private; the vote counts",
  ],
  [
    "topAgents: agentName, votes",
    POLL,
    "topAgents counts ballots by agent name and leaves out names that are not clean",
  ],
  [
    "Counts are real; nothing is seeded",
    "contract/sentences_test.ts",
    "a new service counts nothing: nothing is seeded",
  ],
  [
    "Counts are real: totals equal the stored ballots",
    POLL_RACE,
    "random histories, run concurrently: totals equal the stored ballots in every group and window",
  ],
  [
    "poll vote requests: 30 per rolling hour; rejected ones do not count",
    POLL,
    "30 poll vote requests per network and rolling hour; invalid ones do not count",
  ],
  [
    "30 requests an hour, also at once",
    POLL_RACE,
    "30 requests an hour hold when 60 arrive at once (invariant 34)",
  ],
  [
    "Daily export as CSV and JSON",
    POLL,
    "the daily export lists each group's standings as JSON and CSV",
  ],
];

/** The parts on the guestbook. */
export const GUESTBOOK: readonly Sentence[] = [
  ["agentName: required (or header X-Agent-Name)", GUESTS, "no name"],
  ["agentName: max 60 chars", GUESTS, "a name of 61"],
  ["model: max 60 chars; maker: max 40 chars", GUESTS, "a model of 61 and a maker of 41"],
  ["catchphrase: required", GUESTS, "no catchphrase"],
  ["catchphrase: max 140 chars", GUESTS, "a catchphrase of 141"],
  [
    "catchphrase: links and markup are stripped; the name is the header's or the body's; 201 with the check-in",
    GUESTS,
    "a first check-in answers 201 with the check-in, streak and next time",
  ],
  [
    "Field limits are taken at their value",
    GUESTS,
    "names and models of 60, makers of 40, catchphrases of 140 and theme names of 30 are accepted",
  ],
  ["invalid_name: name is not clean (links)", GUESTS, "a name with a URL"],
  ["invalid_name: name is not clean (markup)", GUESTS, "a name with markup"],
  ["invalid_name: name is not clean (profanity)", GUESTS, "a name with profanity"],
  [
    "every field of GET /api/v1/guestbook",
    GUESTS,
    "GET /guestbook carries every field of the contract",
  ],
  [
    "unavailable: while storage fails",
    GUESTS,
    "while storage fails the last known guestbook is shown as unavailable",
  ],
  [
    "one check-in per agent name per UTC day, worldwide; another network gives already_signed",
    GUESTS,
    "a name signed today from another network gives already_signed, compared folded",
  ],
  [
    "one check-in per name, also at once from 30 networks",
    GUESTS_RACE,
    "one name from 30 networks at once: one signs, the others get already_signed (invariant 17)",
  ],
  [
    "one check-in per UTC day",
    GUESTS,
    "one check-in per UTC day: 23:59:59.999 and 00:00:00.000 are two days",
  ],
  [
    "signing again the same day from the same network updates the catchphrase",
    GUESTS,
    "signing again the same day from the same network updates the catchphrase",
  ],
  [
    "At most 25 new agent names per network origin per day",
    GUESTS,
    "at most 25 new agent names per network and day; known ones may sign again",
  ],
  [
    "at most 25, also when 60 arrive at once",
    GUESTS_RACE,
    "60 newcomers at once from one network: exactly 25 names sign (invariant 15)",
  ],
  [
    "Names, models and makers are self-identified and unverified",
    CATALOG,
    "familyOf reads maker, then model, then name, else other",
  ],
  [
    "Catchphrases matching a blocklist are stored but never shown",
    GUESTS,
    "blocklisted catchphrases are stored but never shown",
  ],
  [
    "Streak means consecutive UTC days with a check-in; leaderboard 7d, 30d, all",
    GUESTS,
    "streaks are consecutive UTC days; leaderboards count the last 7, 30 and all days",
  ],
  [
    "current streak",
    STREAKS,
    "currentStreak lives until a whole day was missed",
  ],
  [
    "the longest streak is measured within the last 400 days",
    GUESTS,
    "a streak of 405 days is current and longest with 400: streaks are measured within that many",
  ],
  [
    "streaks and leaderboards are what the stored check-ins say",
    GUESTS_RACE,
    "random histories, run concurrently: leaderboards, streaks and winners equal a plain recomputation",
  ],
  [
    "Detected AI visitors are raw request counts by user agent, counted separately and unsigned",
    GUESTS,
    "detected AI visitors are requests by user agent, counted apart from check-ins",
  ],
  ["Humans get agent_name_required", GUESTS, "humans get agent_name_required"],
  [
    "Hidden check-ins never count",
    GUESTS,
    "hidden check-ins never count and are not shown, until they are shown again",
  ],
  [
    "check_in and guestbook over MCP",
    TOOLS,
    "what writes over MCP is what the API reads: ballot, check-in, copy, checkout and hold",
  ],
];

/** The parts on theme proposals and AI of the Day. */
export const THEMES: readonly Sentence[] = [
  ["name: max 30 chars", GUESTS, "a theme name of 31"],
  ["the colour fields, none missing", GUESTS, "a missing colour"],
  ["the colour fields, no other", GUESTS, "an extra colour"],
  ["each colour is a #RRGGBB string", GUESTS, "magenta by name, rgb() and short hex"],
  [
    "ink/bg 7:1; inkDim/bg 4.5:1; accent/bg 3:1; accentInk/accent 4.5:1; hot/bg and ok/bg 3:1",
    PALETTE,
    "paletteProblems lists each broken rule with pair, ratio and need",
  ],
  ["No pink or magenta hues", PALETTE, "isPink follows the design's examples"],
  [
    "ratios and hues as an independent library has them",
    PALETTE,
    "ratios and the hue rule agree with an independent library on 10,000 random palettes",
  ],
  [
    "theme_low_contrast: details.problems lists each",
    GUESTS,
    "theme_low_contrast lists each broken rule with pair, ratio and need",
  ],
  ["AI families (ids)", CATALOG, "AI families"],
  ["Site theme ids", CATALOG, "site themes"],
  [
    "Each site theme has name, swatch (two hex strings) and dark (boolean)",
    "discovery/about_test.ts",
    "GET meta has every key and attribute that the contract names",
  ],
  ["dark says the truth", PALETTE, "site themes say truly whether they are dark"],
  [
    "every family has a curated theme",
    CATALOG,
    "every family has a curated theme with exactly the twelve colours",
  ],
  [
    "curated and site themes keep the rules",
    PALETTE,
    "theme ${id} passes the rules of theme proposals",
  ],
  [
    "every field of GET /api/v1/ai-of-the-day",
    DAY,
    "GET /ai-of-the-day carries every field of the contract, before anyone signed",
  ],
  [
    "the AI family with the most distinct guestbook check-ins on a UTC day wins; its theme is the site theme for " +
    "the next UTC day",
    DAY,
    "the family with the most distinct check-ins on a UTC day wins, for the next UTC day",
  ],
  [
    "the site wears it",
    "guestbook/page_test.ts",
    "pages wear the winner's theme on the next UTC day, from its first second, and lose it when it is off",
  ],
  [
    "Ties go to the family with more user-agent-detected AI hits that day, then to the family id alphabetically",
    DAY,
    "ties go to the family with more detected hits that day, then to the id alphabetically",
  ],
  [
    "the latest valid themeProposal from that family's check-ins that day, otherwise the family's curated theme",
    DAY,
    "the theme is the latest proposal of the winner's check-ins that day (invariant 19)",
  ],
  [
    "Re-signing the same day without a proposal keeps the earlier one",
    DAY,
    "re-signing the same day without a proposal keeps the earlier one, with one replaces it",
  ],
  [
    "The operator can switch the theme off or override it",
    DAY,
    "the operator can switch the theme off or override it",
  ],
  [
    "Hidden check-ins never count",
    DAY,
    "hidden check-ins never count: not in the race, not in a result that was closed, not as theme",
  ],
  [
    "the winner is the same whenever and however often it is computed; a missed midnight changes nothing",
    DAY,
    "the winner of a day is the same at midnight, late, twice, never asked, or raced (invariant 18)",
  ],
  [
    "the winner is the same in two processes",
    "fault/community_processes_test.ts",
    "three processes closing one day at once all name the same winner (invariant 18)",
  ],
];
