import { z } from "zod";
import { countCategories, countTools } from "../../discovery/counts.ts";
import { getMeta } from "../../discovery/meta.ts";
import { plural } from "../../text/count.ts";
import { noParams } from "../params.ts";
import { Tier, tierLine } from "../promotion_text.ts";
import { defineTool, READS } from "../tool.ts";

const Shelf = z.object({ slug: z.string(), name: z.string(), count: z.int() });
const Category = Shelf.extend({ blurb: z.string() });
const Tool = Shelf.extend({ maker: z.string() });

export const listCategoriesAndTools = defineTool({
  name: "list_categories_and_tools",
  title: "Categories, tools and limits",
  description: "Valid values for a project's fields, with counts, limits and promotion tiers.",
  annotations: READS,
  input: noParams,
  output: z.object({
    categories: z.array(Category),
    tools: z.array(Tool),
    pricingModels: z.array(z.string()),
    listingAccents: z.array(z.object({ name: z.string(), hex: z.string() })),
    limits: z.record(z.string(), z.int()),
    tiers: z.array(Tier),
  }),
  async run({ deps }) {
    const { pricingModels, listingAccents, limits, promotion: { tiers } } = await getMeta(deps);
    const categories = countCategories(deps).map((category) => Category.parse(category));
    const tools = countTools(deps).map((tool) => Tool.parse(tool));
    return {
      data: { categories, tools, pricingModels, listingAccents, limits, tiers },
      text: [
        "Categories:",
        ...categories.map(({ slug, blurb, count }) =>
          `- ${slug}: ${blurb} ${plural(count, "project")}`
        ),
        `Tools (builtWith): ${tools.map(({ slug, count }) => `${slug} (${count})`).join(", ")}`,
        `Pricing: ${pricingModels.join(", ")}`,
        `Accents: ${listingAccents.map(({ name, hex }) => `${name} ${hex}`).join(", ")}`,
        `API limits: ${
          Object.entries(limits).map(([name, limit]) => `${name} ${limit}`).join(", ")
        }`,
        "Promotion tiers:",
        ...tiers.map(tierLine),
      ].join("\n"),
    };
  },
});
