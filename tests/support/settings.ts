/** The settings of tests; the base URL is one that no request is sent to. */
export const TEST_SETTINGS = {
  BASE_URL: "http://projectory.test",
  KV_PATH: ":memory:",
  LOG_LEVEL: "silent",
  HASH_SALT: "a salt for tests, long enough to be one",
};
