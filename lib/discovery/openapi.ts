import { categories } from "../catalog/categories.ts";
import { tools } from "../catalog/tools.ts";
import type { Operation } from "../openapi/operation.ts";
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

/** Operations of discovery. */
export const discoveryOperations: Operation[] = [
  {
    method: "get",
    path: "/api/v1/trending",
    operationId: "getTrending",
    tag: "Discovery",
    summary: "Front Row, promoted, hot, new and gem projects",
    description:
      "Paid ones stand in lists of their own, labelled; they change no order of the others.",
    query: TrendingQuery,
    responses: { 200: { description: "What to look at now", schema: TrendingBody } },
  },
  {
    method: "get",
    path: "/api/v1/trending/full",
    operationId: "getFullTrending",
    tag: "Discovery",
    summary: "Rising projects, new ones, top skills of the week, Front Row and best AI",
    query: TrendingQuery,
    responses: { 200: { description: "What moves now", schema: FullTrendingBody } },
  },
  {
    method: "get",
    path: "/api/v1/meta",
    operationId: "getMeta",
    tag: "Discovery",
    summary: "Vocabularies, limits and promotion tiers",
    responses: { 200: { description: "What forms and queries can hold", schema: MetaBody } },
  },
  {
    method: "get",
    path: "/api/v1/about",
    operationId: "getAbout",
    tag: "Service",
    summary: "What the service is, live figures and current prices",
    responses: { 200: { description: "About the service", schema: AboutBody } },
  },
  {
    method: "get",
    path: "/api/v1/categories",
    operationId: "listCategories",
    tag: "Discovery",
    summary: "Every category with its live project count",
    responses: {
      200: { description: `The ${categories.length} categories`, schema: CategoriesBody },
    },
  },
  {
    method: "get",
    path: "/api/v1/tools",
    operationId: "listTools",
    tag: "Discovery",
    summary: "Every tool with its live project count",
    responses: { 200: { description: `The ${tools.length} tools`, schema: ToolsBody } },
  },
  {
    method: "get",
    path: "/api/v1/ranking",
    operationId: "getRanking",
    tag: "Discovery",
    summary: "What orders lists, with the exact formula",
    responses: { 200: { description: "The rules", schema: RankingBody } },
  },
  {
    method: "get",
    path: "/api/v1/changes",
    operationId: "listChanges",
    tag: "Discovery",
    summary:
      "What changed since: created, updated, promoted and hidden records; votes and visits are none",
    description:
      "Follow it with nextSince, at once while more is true. The last ten seconds are sent " +
      "again, so that a late write is not missed: the same id is the same change.",
    query: ChangesQuery,
    responses: { 200: { description: "Changes, the oldest first", schema: ChangesBody } },
  },
];
