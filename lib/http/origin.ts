import { DomainError } from "../errors.ts";

/**
 * Refuses a state-changing request that a browser says comes from another site. Identity is the
 * network address, so a foreign page must not be able to make its visitor vote. Clients that send
 * neither header are no browsers and pass. Throws `forbidden_origin`.
 */
export function refuseForeignOrigin(req: Request, baseUrl: string): void {
  const site = req.headers.get("sec-fetch-site");
  const foreign = site !== null
    ? site !== "same-origin" && site !== "none"
    : isOfForeignPage(req, baseUrl);
  if (foreign) throw new DomainError("forbidden_origin");
}

/** Whether a browser says that a page of another site made a request. */
export function isOfForeignPage(req: Request, baseUrl: string): boolean {
  const origin = req.headers.get("origin");
  return origin !== null && origin !== baseUrl;
}
