import { lookup, resolveTxt } from "node:dns/promises";

/** The network as the fetcher uses it; tests pass their own. */
export interface Net {
  /** All addresses of a host name. */
  addressesOf(host: string): Promise<string[]>;
  txtOf(host: string): Promise<string[][]>;
  /** Where a connection to a public address goes. */
  route(address: string, port: number): { host: string; port: number };
  /** Trusted certificates, in PEM; the system's by default. */
  ca?: string;
}

/** The network of this machine. */
export const systemNet: Net = {
  async addressesOf(host) {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  },
  txtOf: (host) => resolveTxt(host),
  route: (host, port) => ({ host, port }),
};
