import { DomainError } from "../errors.ts";

/**
 * Refuses a state-changing request that the browser says comes from another site. Identity is the
 * network address, so a foreign page must not make its visitors vote. Clients that send neither
 * header are not browsers and pass. Throws `forbidden_origin`.
 */
export function refuseForeignOrigin(req: Request, baseUrl: string): void {
  const site = req.headers.get("sec-fetch-site");
  const foreign = site !== null
    ? site !== "same-origin" && site !== "none"
    : isOfForeignPage(req, baseUrl);
  if (foreign) throw new DomainError("forbidden_origin");
}

/** Whether the browser says that another site's page made the request. */
export function isOfForeignPage(req: Request, baseUrl: string): boolean {
  const origin = req.headers.get("origin");
  return origin !== null && origin !== baseUrl;
}
