import { define } from "@/lib/app/define.ts";
import { ignoreBody } from "@/lib/http/body.ts";
import { TYPES } from "@/lib/http/respond.ts";
import { countInstall } from "@/lib/skills/copies.ts";
import { installOf, skillFile } from "@/lib/skills/install.ts";
import { readVersion } from "@/lib/skills/service.ts";

/** The download button: counts the copy and sends the file. */
export const handler = define.handlers({
  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    await ignoreBody(ctx.req);
    // Read first: once it is counted, no read may fail.
    const { stored, content } = await readVersion(deps, slug);
    await countInstall(deps, { slug, caller, sha256: stored.sha256 });
    const { fileName } = installOf(stored, deps.urls).install;
    return new Response(skillFile(stored, content), {
      headers: {
        "Content-Type": TYPES.text,
        "Content-Disposition": `attachment; filename="${fileName}"`,
        "Cache-Control": "private, no-store",
      },
    });
  },
});
