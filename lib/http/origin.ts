import { DomainError } from "../errors.ts";

/**
 * Refuses a state-changing request that a browser says comes from another site. Identity is the address, so a
 * foreign page must not be able to make its visitor vote. Clients that send neither header are no browsers.
 * Throws `forbidden_origin`.
 */
export function refuseForeignOrigin(req: Request, baseUrl: string): void {
  const site = req.headers.get("sec-fetch-site");
  const origin = req.headers.get("origin");
  const foreign = site !== null
    ? site !== "same-origin" && site !== "none"
    : origin !== null && origin !== baseUrl;
  if (foreign) throw new DomainError("forbidden_origin");
}
