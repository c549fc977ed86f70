import { z } from "zod";
import { categories } from "../catalog/categories.ts";
import { tools } from "../catalog/tools.ts";
import { PublicListing } from "../listings/schema.ts";
import type { Operations } from "../openapi/operation.ts";
import { IgnoredParameters, pageFields, searchFields } from "../openapi/shapes.ts";
import { ListingQuery } from "./query.ts";
import {
  AboutBody,
  CategoriesBody,
  ChangesBody,
  ChangesQuery,
  FullTrendingBody,
  MetaBody,
  RankingBody,
  ToolsBody,
  TrendingBody,
  TrendingQuery,
} from "./schema.ts";

/** A page of listings. */
const ListingPage = z.object({
  ok: z.literal(true),
  ignoredParameters: IgnoredParameters,
  projects: z.array(PublicListing.extend({
    explain: z.object({
      votes: z.int(),
      clicks: z.int(),
      ageHours: z.number(),
      score: z.number(),
      match: z.number().optional(),
    }).optional().describe(
      "With explain=1: the parts of the hot score, and how well it matches a search",
    ),
  })),
  ...pageFields,
  ...searchFields,
}).meta({ id: "ProjectPage" });

/** The list of projects, which shares its path with their creation. */
export const listOperations: Operations = {
  "GET /api/v1/projects": {
    operationId: "listProjects",
    summary: "List, filter and search live projects",
    description: "Paid placement never changes the order.",
    query: ListingQuery,
    responses: {
      200: {
        description: "A page of projects",
        schema: ListingPage,
        headers: { Link: "rel next and prev" },
      },
    },
  },
};

export const discoveryOperations: Operations = {
  "GET /api/v1/trending": {
    operationId: "getTrending",
    summary: "Front Row, promoted, hot, new and gem projects",
    description:
      "Paid placements are labeled and have their own lists. They don't affect the other lists.",
    query: TrendingQuery,
    responses: { 200: { description: "Trending projects", schema: TrendingBody } },
  },
  "GET /api/v1/trending/full": {
    operationId: "getFullTrending",
    summary: "Rising and new projects, this week's top skills, Front Row and best AI",
    query: TrendingQuery,
    responses: {
      200: { description: "Trending projects, skills and AI", schema: FullTrendingBody },
    },
  },
  "GET /api/v1/meta": {
    operationId: "getMeta",
    summary: "Categories, tools, limits and promotion tiers",
    responses: { 200: { description: "Values that forms and queries accept", schema: MetaBody } },
  },
  "GET /api/v1/about": {
    operationId: "getAbout",
    tag: "Service",
    summary: "What the service is, live figures and current prices",
    responses: { 200: { description: "About the service", schema: AboutBody } },
  },
  "GET /api/v1/categories": {
    operationId: "listCategories",
    summary: "Every category with its live project count",
    responses: {
      200: { description: `The ${categories.length} categories`, schema: CategoriesBody },
    },
  },
  "GET /api/v1/tools": {
    operationId: "listTools",
    summary: "Every tool with its live project count",
    responses: { 200: { description: `The ${tools.length} tools`, schema: ToolsBody } },
  },
  "GET /api/v1/ranking": {
    operationId: "getRanking",
    summary: "How lists are ordered, with the exact formula",
    responses: { 200: { description: "The rules", schema: RankingBody } },
  },
  "GET /api/v1/changes": {
    operationId: "listChanges",
    summary:
      "Changes since a point in time: created, updated, promoted and hidden entries, not votes or clicks",
    description:
      "Next time, send `nextSince` as `since`. While `more` is true, call again right away. The last ten seconds are " +
      "repeated so you don't miss late writes: skip any `id` you already have.",
    query: ChangesQuery,
    responses: { 200: { description: "Changes, oldest first", schema: ChangesBody } },
  },
};
