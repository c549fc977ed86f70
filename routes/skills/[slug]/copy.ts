import { define } from "@/lib/app/define.ts";
import { ignoreBody } from "@/lib/http/body.ts";
import { TYPES } from "@/lib/http/respond.ts";
import { countInstall } from "@/lib/skills/copies.ts";
import { skillFile } from "@/lib/skills/install.ts";
import { getSkill } from "@/lib/skills/service.ts";

/** The download button: counts the copy and sends the file. */
export const handler = define.handlers({
  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    await ignoreBody(ctx.req);
    // Read first: once it is counted, no read may fail.
    const skill = await getSkill(deps, slug);
    await countInstall(deps, { slug, caller, sha256: skill.sha256 });
    return new Response(skillFile(skill, skill.content), {
      headers: {
        "Content-Type": TYPES.text,
        "Content-Disposition": `attachment; filename="${skill.install.fileName}"`,
        "Cache-Control": "private, no-store",
      },
    });
  },
});
