import { z } from "zod";

/** A whole number in plain digits. `Number` alone would read a blank as 0. */
const whole = (max: number, min = 0) =>
  z.string().refine(
    (value) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max,
    `must be a whole number from ${min} to ${max}`,
  ).transform(Number);

/** A bare origin, such as https://projectory.example, as browsers send it in `Origin`. */
const origin = z.url({ protocol: /^https?$/, error: "must be a full http(s) URL" })
  .transform((value) => new URL(value))
  .refine(({ href, origin }) => href === `${origin}/`, "must have no path, query or user")
  .transform(({ origin }) => origin);

/** A value used as is: stray whitespace from an env file would silently change it. */
const oneLine = z.string().regex(/^\S(.*\S)?$/, "must be one line without spaces around it");

/**
 * The path of a file, or a KV Connect URL without a token, because addresses appear in logs and
 * process lists. Only SQLite strips `file:`, so the database wouldn't be the file that we keep
 * private.
 */
const kvPath = oneLine.refine(
  (value) => !/^(file:|[a-z][a-z\d+.-]*:\/\/)/i.test(value) || isServer(value),
  "must be a file path, or a full http(s) URL with its token in DENO_KV_ACCESS_TOKEN",
);

function isServer(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:/.test(value) && url.username === "" && url.password === "";
}

/** A Stripe key with one of these prefixes, without stray characters from an env file. */
const stripeKey = (beginnings: RegExp, rule: string) =>
  z.string().trim().regex(/^[!-~]+$/, "must be ASCII without spaces").regex(beginnings, rule);

const webhookSecrets = z.string()
  .transform((value) => value.split(",").map((part) => part.trim()).filter(Boolean))
  .pipe(z.array(stripeKey(/^whsec_/, "must start with whsec_")).min(1, "must not be empty"));

/** The least severe events that are logged, from most to least verbose. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** One of `LOG_LEVELS`. */
export type LogLevel = (typeof LOG_LEVELS)[number];

const Settings = z.object({
  PORT: whole(65535).default(8000),
  HOST: z.string().regex(/^[\w.:%[\]-]+$/, "must be only an address or a host name").optional(),
  BASE_URL: origin.optional(),
  SITE_NAME: z.string().trim().regex(/^.{1,40}$/, "must be one line of 1 to 40 characters")
    .regex(/^\P{Cc}*$/u, "must have no control characters").default("Projectory"),
  SITE_SLUG: z.string().regex(
    /^[a-z0-9-]{1,40}$/,
    "must be 1 to 40 lowercase letters, digits and dashes",
  )
    .default("projectory"),
  KV_PATH: kvPath.optional(),
  // Deno reads it itself, and panics on a line break.
  DENO_KV_ACCESS_TOKEN: oneLine.regex(/^[ -~]*$/, "must be ASCII").optional(),
  HASH_SALT: oneLine.min(32, "must have at least 32 characters").optional(),
  TRUSTED_PROXIES: whole(10).default(0),
  STRIPE_SECRET_KEY: stripeKey(/^[sr]k_/, "must be a secret key, which starts with sk_ or rk_")
    .optional(),
  STRIPE_WEBHOOK_SECRET: webhookSecrets.optional(),
  STRIPE_API_URL: origin.optional(),
  OPERATOR_NAME: z.string().trim().regex(/^.{1,80}$/, "must be one line of 1 to 80 characters")
    .regex(/^\P{Cc}*$/u, "must have no control characters").optional(),
  CONTACT_EMAIL: z.email("must be an email address").optional(),
  FETCHER_PORT: whole(65535, 1).optional(),
  SMTP_URL: oneLine.refine(
    (value) => /^smtps?:\/\/./i.test(value) && URL.canParse(value),
    "must be smtp://host or smtps://user:password@host",
  ).optional(),
  WEBSUB_HUB: z.url({ protocol: /^https?$/, error: "must be a full http(s) URL" }).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, "must be debug, info, warn, error or silent").default("info"),
  // Set by Deno Deploy: whether the app runs there, and the parts of its address.
  DENO_DEPLOYMENT_ID: z.string().optional(),
  DENO_DEPLOY_APP_SLUG: z.string().optional(),
  DENO_DEPLOY_ORG_SLUG: z.string().optional(),
  DENO_TIMELINE: z.string().optional(),
});

/** Addresses this machine reaches as localhost, including 0.0.0.0, which can't be visited. */
const OWN = /^(127\.0\.0\.1|0\.0\.0\.0|::1?)$/;

/** The names of all settings, as `permissions` in deno.json lists them. */
export const SETTING_NAMES = Object.keys(Settings.shape);

/** The settings of a running service; see README for each. */
export type Env = ReturnType<typeof parseEnv>;

/** An unusable setting. Its message is the one line shown when startup fails. */
export class SettingError extends Error {}

/**
 * Parses settings from a record of environment variables; empty ones count as unset.
 * Throws `SettingError` naming every bad setting in one line.
 */
export function parseEnv(variables: Record<string, string | undefined>) {
  const given = Object.fromEntries(
    SETTING_NAMES.filter((name) => variables[name]).map((name) => [name, variables[name]]),
  );
  const parsed = Settings.safeParse(given);
  const problems =
    parsed.error?.issues.map(({ path, message }) => `${String(path[0])} ${message}`) ?? [];
  const isDeploy = given.DENO_DEPLOYMENT_ID !== undefined;
  const kvPath = given.KV_PATH ??
    (isDeploy ? undefined : "data/projectory.sqlite3");
  const isRemote = kvPath === undefined || /^https?:/.test(kvPath);
  if (isRemote && given.HASH_SALT === undefined) {
    problems.push("HASH_SALT is required unless KV is an embedded file");
  }
  if (given.STRIPE_SECRET_KEY !== undefined && given.STRIPE_WEBHOOK_SECRET === undefined) {
    problems.push("STRIPE_WEBHOOK_SECRET is required with STRIPE_SECRET_KEY");
  }
  if (given.SMTP_URL !== undefined && given.CONTACT_EMAIL === undefined) {
    problems.push("CONTACT_EMAIL is required with SMTP_URL: emails come from it");
  }
  const s = parsed.data;
  if (s?.PORT && s.PORT === s.FETCHER_PORT) {
    problems.push(`FETCHER_PORT must differ from PORT, which is ${s.PORT}`);
  }
  const host = s?.HOST ?? (isDeploy ? "0.0.0.0" : "127.0.0.1");
  const baseUrl = s && (s.BASE_URL ?? (isDeploy ? deployOrigin(given) : originAt(host, s.PORT)));
  if (baseUrl === null) {
    problems.push(
      `BASE_URL is required, because HOST ${host} and PORT ${s!.PORT} don't make a URL`,
    );
  }
  if (!s || !baseUrl || problems.length > 0) {
    throw new SettingError(`Bad setting: ${problems.join("; ")}`);
  }
  return {
    port: s.PORT,
    host,
    /** The public origin, without a trailing slash. */
    baseUrl,
    siteName: s.SITE_NAME,
    siteSlug: s.SITE_SLUG,
    /** A file, a KV Connect URL, or undefined for the platform's own KV. */
    kvPath,
    hashSalt: s.HASH_SALT,
    trustedProxies: s.TRUSTED_PROXIES,
    stripeSecretKey: s.STRIPE_SECRET_KEY,
    stripeWebhookSecrets: s.STRIPE_WEBHOOK_SECRET ?? [],
    stripeApiUrl: s.STRIPE_API_URL,
    /** The person or organization that runs the site. */
    operatorName: s.OPERATOR_NAME,
    contactEmail: s.CONTACT_EMAIL,
    /** The address of the process that fetches user-submitted URLs; undefined: nothing is fetched. */
    fetcherPort: s.FETCHER_PORT,
    /** The mail server, with its password; undefined: no email is sent. */
    smtpUrl: s.SMTP_URL,
    /** The WebSub hub that notifies feed subscribers; undefined: feeds name none. */
    websubHub: s.WEBSUB_HUB,
    logLevel: s.LOG_LEVEL,
    /** True on Deno Deploy. */
    isDeploy,
  };
}

/**
 * The origin browsers send to a server bound to this host and port, or null if unknown, such as for
 * port 0, which means a new port at each start.
 */
function originAt(host: string, port: number): string | null {
  const name = OWN.test(host) ? "localhost" : /^[^[].*:/.test(host) ? `[${host}]` : host;
  return port === 0 ? null : origin.safeParse(`http://${name}:${port}`).data ?? null;
}

/** The address Deno Deploy gives an app's timeline; null if it doesn't say enough. */
function deployOrigin(
  { DENO_DEPLOY_APP_SLUG: app, DENO_DEPLOY_ORG_SLUG: org, DENO_TIMELINE: timeline }: Record<
    string,
    string | undefined
  >,
): string | null {
  const [kind, ...rest] = (timeline ?? "production").split("/");
  const name = rest.join("-").toLowerCase();
  const label = kind === "production" ? app : `${app}${kind === "preview" ? "-" : "--"}${name}`;
  return app && org ? origin.safeParse(`https://${label}.${org}.deno.net`).data ?? null : null;
}

/**
 * Reads this process's settings: the only place that touches the environment. Throws
 * `SettingError`.
 */
export function readEnv(): Env {
  return parseEnv(Object.fromEntries(SETTING_NAMES.map((name) => [name, readVariable(name)])));
}

function readVariable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    throw new SettingError(`Bad setting: ${name} must be text in UTF-8`);
  }
}

const LOOPBACK = /^(127\.|localhost$|::1$)/;

/** Startup warnings for the operator about valid settings that look like a mistake together. */
export function startWarnings(env: Env): string[] {
  const warnings: string[] = [];
  if (env.trustedProxies > 0 && !LOOPBACK.test(env.host)) {
    warnings.push(
      "TRUSTED_PROXIES is set, but HOST is not a loopback address: anyone who reaches the port without " +
        "going through the proxy can claim any address",
    );
  }
  if (env.trustedProxies > 0 && new URL(env.baseUrl).hostname === "localhost") {
    warnings.push(
      `TRUSTED_PROXIES is set, but BASE_URL is ${env.baseUrl}: visitors who come through the ` +
        "proxy get links to their own machine",
    );
  }
  // Nothing here does TLS, so a proxy must, or the platform that provides this KV.
  if (
    env.trustedProxies === 0 && env.baseUrl.startsWith("https:") && env.kvPath !== undefined
  ) {
    warnings.push(
      "BASE_URL is https, but TRUSTED_PROXIES is 0: if there is a proxy in front, all visitors count as one",
    );
  }
  if (env.stripeWebhookSecrets.length > 0 && env.stripeSecretKey === undefined) {
    warnings.push("STRIPE_WEBHOOK_SECRET is set without STRIPE_SECRET_KEY: payments stay closed");
  }
  if (env.fetcherPort === undefined) {
    if (env.smtpUrl !== undefined) {
      warnings.push("SMTP_URL is set without FETCHER_PORT: no email is sent");
    }
    if (env.websubHub !== undefined) {
      warnings.push("WEBSUB_HUB is set without FETCHER_PORT: the hub is never told what changed");
    }
  }
  return warnings;
}
