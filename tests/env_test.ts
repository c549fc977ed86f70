import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { parseEnv, readEnv, SETTING_NAMES, SettingError, startWarnings } from "@/lib/env.ts";

Deno.test("parseEnv reports every bad setting in one line", () => {
  const bad: [Record<string, string>, RegExp][] = [
    [{ PORT: "http" }, /PORT must be a whole number from 0 to 65535/],
    [{ PORT: "70000" }, /PORT must be a whole number from 0 to 65535/],
    [{ PORT: "1e4" }, /PORT must be a whole number/],
    [{ TRUSTED_PROXIES: " " }, /TRUSTED_PROXIES must be a whole number from 0 to 10/],
    [{ BASE_URL: "projectory.example" }, /BASE_URL must be a full http\(s\) URL/],
    [{ BASE_URL: "ftp://x" }, /BASE_URL must be a full http\(s\) URL/],
    [{ BASE_URL: "https://example.com/path" }, /BASE_URL must have no path/],
    [{ BASE_URL: "https://example.com?a=b" }, /BASE_URL must have no path, query or user/],
    [{ BASE_URL: "https://me@example.com" }, /BASE_URL must have no path, query or user/],
    [{ SITE_SLUG: "My Site" }, /SITE_SLUG must be 1 to 40 lowercase/],
    [{ SITE_NAME: "a".repeat(41) }, /SITE_NAME must be one line of 1 to 40 characters/],
    [{ SITE_NAME: "Two\nlines" }, /SITE_NAME must be one line of 1 to 40 characters/],
    [{ SITE_NAME: "A\tb\x01" }, /SITE_NAME must have no control characters/],
    [{ OPERATOR_NAME: "Two\nlines" }, /OPERATOR_NAME must be one line of 1 to 80 characters/],
    [{ CONTACT_EMAIL: "me" }, /CONTACT_EMAIL must be an email address/],
    [{ LOG_LEVEL: "loud" }, /LOG_LEVEL must be debug, info, warn, error or silent/],
    [{ STRIPE_API_URL: "stripe" }, /STRIPE_API_URL must be a full http\(s\) URL/],
    [{ STRIPE_API_URL: "localhost:12111" }, /STRIPE_API_URL must be a full http\(s\) URL/],
    [{ STRIPE_API_URL: "https://stripe.example/api" }, /STRIPE_API_URL must have no path/],
    [{ STRIPE_SECRET_KEY: "sk test" }, /STRIPE_SECRET_KEY must be ASCII without spaces/],
    [{ STRIPE_SECRET_KEY: "sk_tést" }, /STRIPE_SECRET_KEY must be ASCII without spaces/],
    [{ FETCHER_PORT: "0" }, /FETCHER_PORT must be a whole number from 1 to 65535/],
    [{ PORT: "81", FETCHER_PORT: "81" }, /FETCHER_PORT must differ from PORT, which is 81$/],
    [{ PORT: "0" }, /BASE_URL is required, because HOST 127\.0\.0\.1 and PORT 0/],
    [{ HOST: "fe80::1%eth0" }, /BASE_URL is required, because HOST fe80::1%eth0 and PORT 8000/],
    [{ HOST: "127.0.0.1:80" }, /BASE_URL is required, because HOST 127\.0\.0\.1:80 and PORT 8000/],
    [{ HOST: "http://a" }, /^Bad setting: HOST must be only an address or a host name$/],
    [{ HOST: "127.0.0.1 " }, /HOST must be only an address or a host name/],
    [{ HASH_SALT: "short" }, /HASH_SALT must have at least 32/],
    [{ HASH_SALT: `${"s".repeat(32)}\n` }, /HASH_SALT must be one line without spaces around it/],
    [{ HASH_SALT: " ".repeat(40) }, /HASH_SALT must be one line without spaces around it/],
    [{ TRUSTED_PROXIES: "-1", LOG_LEVEL: "loud" }, /TRUSTED_PROXIES.*LOG_LEVEL/],
    [{ KV_PATH: "https://kv.example" }, /HASH_SALT is required/],
    [{ KV_PATH: "https://me:token@kv.example" }, /KV_PATH must be a file path, .* DENO_KV_ACCESS/],
    [{ DENO_KV_ACCESS_TOKEN: "token\n" }, /DENO_KV_ACCESS_TOKEN must be one line without spaces/],
    [{ DENO_KV_ACCESS_TOKEN: "tokén" }, /DENO_KV_ACCESS_TOKEN must be ASCII/],
    [{ KV_PATH: "ftp://kv.example" }, /KV_PATH must be a file path, or a full http\(s\)/],
    [{ KV_PATH: "file:data/kv.sqlite3" }, /KV_PATH must be a file path, or a full http/],
    [{ KV_PATH: "data/kv.sqlite3\r" }, /KV_PATH must be one line without spaces around it/],
    [{ KV_PATH: " data/kv.sqlite3" }, /KV_PATH must be one line without spaces around it/],
    [{ DENO_DEPLOYMENT_ID: "x" }, /HASH_SALT is required/],
    [{ STRIPE_SECRET_KEY: "sk_test" }, /STRIPE_WEBHOOK_SECRET is required/],
    [{ STRIPE_SECRET_KEY: "pk_test" }, /STRIPE_SECRET_KEY must be a secret key, which starts with/],
    [{ STRIPE_SECRET_KEY: "whsec_a" }, /STRIPE_SECRET_KEY must be a secret key, which starts with/],
    [{ STRIPE_WEBHOOK_SECRET: " , " }, /STRIPE_WEBHOOK_SECRET must not be empty/],
    [{ STRIPE_WEBHOOK_SECRET: "whsec_a,sk_b" }, /STRIPE_WEBHOOK_SECRET must start with whsec_/],
    [{ STRIPE_WEBHOOK_SECRET: "whsec_a\nb" }, /STRIPE_WEBHOOK_SECRET must be ASCII without/],
    [
      { PORT: "http", KV_PATH: "https://kv.example", STRIPE_SECRET_KEY: "sk_test" },
      /^Bad setting: PORT must .*; HASH_SALT is required .*; STRIPE_WEBHOOK_SECRET is required/,
    ],
    [
      { PORT: "0", KV_PATH: "https://kv.example" },
      /^Bad setting: HASH_SALT is required .*; BASE_URL is required/,
    ],
  ];
  for (const [variables, expected] of bad) {
    const error = assertThrows(() => parseEnv(variables), SettingError);
    assertEquals(
      [expected.test(error.message), error.message.includes("\n")],
      [true, false],
      error.message,
    );
    for (
      const name of [
        "DENO_KV_ACCESS_TOKEN",
        "HASH_SALT",
        "STRIPE_SECRET_KEY",
        "STRIPE_WEBHOOK_SECRET",
      ]
    ) {
      const secret = variables[name]?.trim();
      assert(!secret || !error.message.includes(secret), error.message);
    }
  }
});

Deno.test("startWarnings warns about risky proxy, https, webhook and fetcher settings, and nothing else", () => {
  const warnings = (variables: Record<string, string>) => startWarnings(parseEnv(variables)).length;
  assertEquals(warnings({}), 0);
  assertEquals(warnings({ TRUSTED_PROXIES: "1" }), 1);
  assertEquals(warnings({ HOST: "0.0.0.0" }), 0);
  const https = { BASE_URL: "https://projectory.example" };
  assertEquals(warnings(https), 1);
  assertEquals(warnings({ ...https, DENO_DEPLOYMENT_ID: "x", HASH_SALT: "x".repeat(32) }), 0);
  assertEquals(warnings({ ...https, TRUSTED_PROXIES: "1" }), 0);
  assertEquals(warnings({ STRIPE_WEBHOOK_SECRET: "whsec_a" }), 1);
  assertEquals(warnings({ STRIPE_WEBHOOK_SECRET: "whsec_a", STRIPE_SECRET_KEY: "sk_test" }), 0);
  const mail = { SMTP_URL: "smtp://mail.example", CONTACT_EMAIL: "me@projectory.example" };
  const hub = { WEBSUB_HUB: "https://hub.example" };
  assertEquals(warnings({ ...mail, ...hub }), 2);
  assertEquals(warnings({ ...mail, ...hub, FETCHER_PORT: "8001" }), 0);
  for (const HOST of ["0.0.0.0", "::", "203.0.113.9"]) {
    assertEquals(warnings({ ...https, HOST, TRUSTED_PROXIES: "1" }), 1, HOST);
  }
});

Deno.test("parseEnv defaults to localhost and an embedded database", () => {
  const env = parseEnv({ PORT: "" });
  assertEquals([env.port, env.host, env.baseUrl], [8000, "127.0.0.1", "http://localhost:8000"]);
  assertEquals(parseEnv({ HOST: "0.0.0.0", PORT: "81" }).baseUrl, "http://localhost:81");
  assertEquals([env.kvPath, env.siteSlug], ["data/projectory.sqlite3", "projectory"]);
  assertEquals([env.stripeSecretKey, env.stripeWebhookSecrets], [undefined, []]);
});

Deno.test("parseEnv takes BASE_URL, KV and host from Deno Deploy", () => {
  const salt = { HASH_SALT: "x".repeat(32) };
  const app = { DENO_DEPLOY_APP_SLUG: "open", DENO_DEPLOY_ORG_SLUG: "acme" };
  const deploy = { ...salt, ...app, DENO_DEPLOYMENT_ID: "x" };
  const env = parseEnv(deploy);
  assertEquals([env.host, env.kvPath], ["0.0.0.0", undefined]);
  const origins = {
    "production": "https://open.acme.deno.net",
    "git-branch/fix/Names": "https://open--fix-names.acme.deno.net",
    "preview/k2f9": "https://open-k2f9.acme.deno.net",
  };
  for (const [DENO_TIMELINE, origin] of Object.entries(origins)) {
    assertEquals(parseEnv({ ...deploy, DENO_TIMELINE }).baseUrl, origin);
  }
  assertEquals(parseEnv({ ...deploy, BASE_URL: "https://a.example" }).baseUrl, "https://a.example");
  assertThrows(
    () => parseEnv({ ...salt, DENO_DEPLOYMENT_ID: "x" }),
    SettingError,
    "BASE_URL is required",
  );
  assertEquals(parseEnv(app).baseUrl, "http://localhost:8000");
});

Deno.test("parseEnv splits webhook secrets, and trims the key and the slash of BASE_URL", () => {
  const env = parseEnv({
    STRIPE_SECRET_KEY: "sk_test\r\n",
    STRIPE_WEBHOOK_SECRET: "whsec_new, whsec_old",
    BASE_URL: "https://projectory.example/",
  });
  assertEquals([env.stripeSecretKey, env.stripeWebhookSecrets], ["sk_test", [
    "whsec_new",
    "whsec_old",
  ]]);
  assertEquals(env.baseUrl, "https://projectory.example");
});

Deno.test("parseEnv normalizes BASE_URL to an origin, even one derived from HOST and PORT", () => {
  const origins: [Record<string, string>, string][] = [
    [{ BASE_URL: "https://Projectory.Example:443/" }, "https://projectory.example"],
    [{ BASE_URL: "https://projectory.example", PORT: "0" }, "https://projectory.example"],
    [{ PORT: "80" }, "http://localhost"],
    [{ PORT: "080", HOST: "LOCALHOST" }, "http://localhost"],
    [{ HOST: "2001:db8::1" }, "http://[2001:db8::1]:8000"],
    [{ HOST: "[2001:db8::1]" }, "http://[2001:db8::1]:8000"],
    [{ HOST: "::1" }, "http://localhost:8000"],
  ];
  for (const [variables, origin] of origins) assertEquals(parseEnv(variables).baseUrl, origin);
});

Deno.test("deno.json grants each task exactly the settings, and backup all permissions", async () => {
  const config = JSON.parse(await Deno.readTextFile(new URL("../deno.json", import.meta.url)));
  const granted = [...SETTING_NAMES, "LOG_STREAM", "LOG_TOKENS"];
  assertEquals(config.permissions.default.env.toSorted(), granted.sort());
  for (const name of ["serve", "serve:remote", "operator", "restore", "verify"]) {
    const { command } = config.tasks[name];
    assert(/ -P /.test(command) && !command.includes("--allow-env"), `${name}: ${command}`);
  }
  assertStringIncludes(config.tasks.backup.command, " -A ");
});

Deno.test("readEnv names a variable that isn't text, and passes on permission errors", () => {
  const { get } = Deno.env;
  const read = (error: Error) => {
    Deno.env.get = () => {
      throw error;
    };
    try {
      readEnv();
    } finally {
      Deno.env.get = get;
    }
  };
  assertThrows(
    () => read(new TypeError("invalid Unicode")),
    SettingError,
    "Bad setting: PORT must be text in UTF-8",
  );
  assertThrows(() => read(new Deno.errors.NotCapable("PORT")), Deno.errors.NotCapable, "PORT");
});
