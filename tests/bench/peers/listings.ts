import type { PublicListing } from "@/lib/listings/schema.ts";

const PAGE = 100;

/** Every listing on a server, hottest first. */
export async function* allListings(base: string): AsyncGenerator<PublicListing> {
  for (let offset = 0;; offset += PAGE) {
    const path = `/api/v1/projects?sort=hot&limit=${PAGE}&offset=${offset}`;
    const { projects } = await (await fetch(base + path)).json();
    yield* projects;
    if (projects.length < PAGE) return;
  }
}
