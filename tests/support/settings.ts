/** Test settings; no request is sent to the base URL. */
export const TEST_SETTINGS = {
  BASE_URL: "http://projectory.test",
  KV_PATH: ":memory:",
  LOG_LEVEL: "silent",
  HASH_SALT: "a salt for tests, long enough to be one",
};

/** The settings of a server process behind one proxy, with a KV server. */
export function remoteSettings(kv: { url: string; token: string }, logLevel: string) {
  return {
    KV_PATH: kv.url,
    DENO_KV_ACCESS_TOKEN: kv.token,
    HASH_SALT: TEST_SETTINGS.HASH_SALT,
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: logLevel,
  };
}
