import { define } from "@/lib/app/define.ts";
import { parseQuery } from "@/lib/http/input.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";
import { noteInstall } from "@/lib/skills/copies.ts";
import { SkillFormatQuery } from "@/lib/skills/schema.ts";
import { getSkillFile } from "@/lib/skills/service.ts";

const FileQuery = SkillFormatQuery.pick({ sha256: true });

export const handler = define.handlers({
  async GET(ctx) {
    const { deps } = ctx.state;
    const slug = ctx.params.slug!;
    const { sha256 } = parseQuery(FileQuery, ctx.url);
    const file = await getSkillFile(deps, slug, sha256);
    const isFetched = ctx.req.method === "GET";
    if (isFetched && sha256 !== undefined) await noteInstall(deps, slug, sha256);
    return cached(ctx, entity(file, TYPES.text));
  },
});
