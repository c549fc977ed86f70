import { define } from "@/lib/app/define.ts";
import { openDump } from "@/lib/dump/service.ts";
import { DomainError } from "@/lib/errors.ts";
import { notModified, PUBLIC_READ_HEADERS } from "@/lib/http/respond.ts";

const FILE = /^([0-9a-z]{21})\.jsonl\.gz$/;

export const handler = define.handlers({
  async GET(ctx) {
    const version = FILE.exec(ctx.params.file!)?.[1];
    if (version === undefined) throw new DomainError("not_found");
    const { dump, body } = await openDump(ctx.state.deps.store, version);
    const headers = {
      ...PUBLIC_READ_HEADERS,
      // What is taken down leaves the dump, so nobody should cache it for long.
      "Cache-Control": "public, max-age=3600",
      "ETag": `"${dump.file.sha256}"`,
    };
    return notModified(ctx.req, headers) ??
      new Response(ctx.req.method === "HEAD" ? null : body(), {
        headers: {
          ...headers,
          "Content-Type": "application/gzip",
          "Content-Length": String(dump.file.bytes),
        },
      });
  },
});
