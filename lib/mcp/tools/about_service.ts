import { z } from "zod";
import { getAbout } from "../../discovery/about.ts";
import { noParams } from "../params.ts";
import { pricingLines } from "../promotion_text.ts";
import { defineTool, READS } from "../tool.ts";

export const aboutService = defineTool({
  name: "about_service",
  title: "About the service",
  description: "What the directory is, how it makes money, live figures and current prices.",
  annotations: READS,
  input: noParams,
  output: z.object({
    name: z.string(),
    description: z.string(),
    whoItsFor: z.array(z.string()),
    businessModel: z.array(z.string()),
    stats: z.record(z.string(), z.int()),
    currentPricing: z.looseObject({ paymentsOpen: z.boolean() }),
    links: z.record(z.string(), z.string()),
  }),
  async run({ deps }) {
    const about = await getAbout(deps);
    const list = (lines: string[]) => lines.map((line) => `- ${line}`).join("\n");
    const figures = Object.entries(about.stats).map(([name, value]) => `${name} ${value}`);
    return {
      data: { ...about },
      text: [
        `# ${about.name}`,
        about.description,
        `For:\n${list(about.whoItsFor)}`,
        `How it makes money:\n${list(about.businessModel)}`,
        `Live figures: ${figures.join(", ")}.`,
        pricingLines(about.currentPricing).join("\n"),
      ].join("\n\n"),
    };
  },
});
