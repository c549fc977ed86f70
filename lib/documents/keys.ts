/**
 * Keys of documents.
 *
 * | key | value | written by |
 * |---|---|---|
 * | ["hub_pings"] | `HubPings`: what the hub knows of each feed | `pingHub` |
 */
export const documentKeys = { pings: ["hub_pings"] } as const;
