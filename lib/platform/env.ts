// The configuration: every variable of Millrace, validated once. Nothing else in lib reads one.
import { z } from "zod";
import { type Tier, tiers } from "#lib/access.ts";
import { fileSettingsOf, fileVariables, missingForBucket } from "./settings/files.ts";
import { choice, httpUrl, outboundAllow, postgresUrl, smtpUrl, text, wholeNumber } from "./settings/values.ts";

const variables = z.object({
  PORT: wholeNumber(1, 65_535).default(3000),
  HOST: text(1).optional(),
  PUBLIC_URL: httpUrl("must be the origin of a web address such as https://flows.example.com", "origin").optional(),
  TRIGGER_ORIGIN: httpUrl("must be the origin of a web address such as https://hooks.example.com", "origin").optional(),
  VERCEL: text(1).optional(),
  VERCEL_ENV: text(1).optional(),
  VERCEL_URL: text(1).optional(),
  VERCEL_BRANCH_URL: text(1).optional(),
  VERCEL_PROJECT_PRODUCTION_URL: text(1).optional(),
  DATA_DIR: text(1).default(".data"),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_CONNECTIONS: wholeNumber(1, 1_000).optional(),
  AUTH_SECRET: text(16).optional(),
  ENCRYPTION_KEY: text(16).optional(),
  ENCRYPTION_KEY_OLD: text(16).optional(),
  BACKUP_PASSPHRASE: text(12, 1000).optional(),
  BOOTSTRAP_EMAIL: z.email({ error: "must be an email address" }).optional(),
  BOOTSTRAP_PASSWORD: text(8, 200).optional(),
  BOOTSTRAP_API_KEY: text(32, 200)
    .regex(/^[\x21-\x7e]*$/, { error: "must be of printable ASCII characters without spaces" })
    .optional(),
  INNGEST_EVENT_KEY: text(1).optional(),
  INNGEST_SIGNING_KEY: text(1).optional(),
  INNGEST_BASE_URL: httpUrl("must be a web address such as http://localhost:8288").optional(),
  INNGEST_DEV: text(1).optional(),
  INNGEST_SERVE_ORIGIN: httpUrl("must be an origin such as http://millrace:3000", "origin").optional(),
  INNGEST_MAX_RUNTIME_MS: wholeNumber(1_000, 3_600_000).default(120_000),
  OUTBOUND_ALLOW: outboundAllow.default([]),
  RATE_LIMIT: choice("on", "off").default("on"),
  DEFAULT_TIER: choice(...tiers).optional(),
  SYNC_WAIT_MS: wholeNumber(0, 3_600_000).default(60_000),
  MAX_BODY_BYTES: wholeNumber(1024, 1_073_741_824).default(1_048_576),
  EXECUTION_CONCURRENCY: wholeNumber(1, 10_000).default(50),
  METRICS_TOKEN: text(16, 500).optional(),
  QUEUE_MAX: wholeNumber(1, 10_000_000).default(100_000),
  EXPRESSION_CPU_MS: wholeNumber(10, 60_000).default(250),
  SANDBOX_MEMORY_BYTES: wholeNumber(8_388_608, 1_073_741_824).default(33_554_432),
  RESULT_MAX_BYTES: wholeNumber(1024, 104_857_600).default(1_048_576),
  OUTPUT_MAX_BYTES: wholeNumber(1024, 104_857_600).default(5_242_880),
  COLLECTED_OUTPUT_MAX_BYTES: wholeNumber(1024, 104_857_600).default(10_485_760),
  RUN_OUTPUT_MAX_BYTES: wholeNumber(1024, 268_435_456).default(52_428_800),
  RUN_STEPS_MAX: wholeNumber(1_000, 10_000_000).default(250_000),
  TABLE_ROWS_MAX: wholeNumber(1, 1_000_000_000).default(1_000_000),
  TABLE_MAX_BYTES: wholeNumber(1024, 1_099_511_627_776).default(1_073_741_824),
  ...fileVariables,
  RETENTION_DAYS: wholeNumber(1, 36_500).optional(),
  SIGN_UP: choice("invite", "open").default("invite"),
  GITHUB_CLIENT_ID: text(1).optional(),
  GITHUB_CLIENT_SECRET: text(1).optional(),
  GOOGLE_CLIENT_ID: text(1).optional(),
  GOOGLE_CLIENT_SECRET: text(1).optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: text(3, 320).optional(),
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0),
  AUDIT_RETENTION_DAYS: wholeNumber(1, 36_500).optional(),
});

type Variable = keyof z.infer<typeof variables>;
const secretVariables: ReadonlySet<string> = new Set<Variable>([
  "DATABASE_URL",
  "AUTH_SECRET",
  "ENCRYPTION_KEY",
  "ENCRYPTION_KEY_OLD",
  "BACKUP_PASSPHRASE",
  "BOOTSTRAP_PASSWORD",
  "BOOTSTRAP_API_KEY",
  "METRICS_TOKEN",
  "INNGEST_EVENT_KEY",
  "INNGEST_SIGNING_KEY",
  "GITHUB_CLIENT_SECRET",
  "GOOGLE_CLIENT_SECRET",
  "SMTP_URL",
  "FILES_S3_SECRET_ACCESS_KEY",
]);

export type Settings = ReturnType<typeof toSettings>;
/** The settings of a running server, with the database and the secrets given or generated. */
export type Env = Readonly<Settings & { databaseUrl: string; authSecret: string; encryptionKey: string }>;

/** All problems in the settings, one line each: `PORT must be …, but is "abc"`. */
export class SettingsError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.name = "SettingsError";
    // Hosts print errors with their stacks, and this one's is useless.
    this.stack = this.message;
    this.lines = lines;
  }
}

/** Parses the given variables; an empty one counts as unset. Throws a SettingsError. */
export function readSettings(source: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.keys(variables.shape).flatMap((name) => (source[name] ? [[name, source[name]]] : [])),
  );
  const parsed = variables.safeParse(given);
  const lines = parsed.success ? sameHosts(parsed.data) : parsed.error.issues.map((issue) => problemLine(issue, given));
  lines.push(...missingTogether(given));
  if (!parsed.success || lines.length > 0) throw new SettingsError(lines);
  return toSettings(parsed.data);
}

let current: Env | undefined;

/** The settings of this server. Read on first use, so that a build without settings can import this. */
export function env(): Env {
  current ??= completeSettings(readSettings(process.env));
  return current;
}

/** Tells next-auth its URL, which it reads from the environment only. */
export function exportPublicUrl(): void {
  process.env.NEXTAUTH_URL = env().publicUrl;
}

function completeSettings(settings: Settings): Env {
  const { databaseUrl, authSecret, encryptionKey } = settings;
  if (databaseUrl && authSecret && encryptionKey)
    return Object.freeze({ ...settings, databaseUrl, authSecret, encryptionKey });
  throw new SettingsError([
    "DATABASE_URL, AUTH_SECRET and ENCRYPTION_KEY must be set where the server is not started by `npm start`",
  ]);
}

function problemLine(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const name = String(issue.path[0]);
  const value = given[name] ?? "";
  const found = secretVariables.has(name) ? `but has ${value.length} characters` : `but is ${JSON.stringify(value)}`;
  const revealing = issue.code === "too_small" || issue.code === "too_big" || !secretVariables.has(name);
  return `${name} ${issue.message}${revealing ? `, ${found}` : ""}`;
}

/**
 * Dependencies between variables. Not part of the schema, so that they are reported even if other values are invalid.
 */
function missingTogether(given: Record<string, string | undefined>): string[] {
  const lines: string[] = [];
  for (const name of given.DATABASE_URL ? ["AUTH_SECRET", "ENCRYPTION_KEY"] : []) {
    if (!given[name]) lines.push(`${name} must be set when DATABASE_URL is set: 32 random characters or more`);
  }
  const usesInngest = given.INNGEST_EVENT_KEY || given.INNGEST_SIGNING_KEY || given.INNGEST_BASE_URL;
  if (usesInngest && !isInngestDev(given.INNGEST_DEV)) {
    for (const name of ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"]) {
      if (!given[name])
        lines.push(`${name} must be set when Inngest is used; or set INNGEST_DEV for a development server`);
    }
  }
  if (given.VERCEL && given.VERCEL_ENV !== "development" && !usesInngest && !isInngestDev(given.INNGEST_DEV)) {
    lines.push("INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY must be set on Vercel: nothing else would do the runs there");
  }
  const bootstrap = ["BOOTSTRAP_EMAIL", "BOOTSTRAP_PASSWORD", "BOOTSTRAP_API_KEY"].filter((name) => given[name]);
  for (const name of ["BOOTSTRAP_EMAIL", "BOOTSTRAP_PASSWORD"]) {
    if (bootstrap.length > 0 && !given[name]) lines.push(`${name} must be set when ${bootstrap[0]} is set`);
  }
  const pairs = [
    ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
    ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
    ["SMTP_URL", "MAIL_FROM"],
  ];
  for (const [name = "", partner = ""] of pairs) {
    if (given[name] && !given[partner]) lines.push(`${partner} must be set when ${name} is set`);
    if (given[partner] && !given[name]) lines.push(`${name} must be set when ${partner} is set`);
  }
  return [...lines, ...missingForBucket(given)];
}

function toSettings(given: z.infer<typeof variables>) {
  return Object.freeze({
    port: given.PORT,
    /** The address to listen on; unset: all addresses. */
    host: given.HOST,
    /** The origin under which others reach this server, without a trailing slash. */
    publicUrl: publicUrlOf(given),
    /** The origin whose host serves only trigger URLs and the URLs of waiting steps. */
    triggerOrigin: triggerOriginOf(given),
    /** The prefix of those URLs. */
    triggersUrl: `${triggerOriginOf(given) ?? publicUrlOf(given)}/api/v1`,
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    /** True in a serverless function: one of many, suspended between requests. */
    isFunction: given.VERCEL !== undefined,
    /** Connections per process. */
    databaseConnections: given.DATABASE_CONNECTIONS ?? (given.VERCEL ? 5 : 20),
    /** False behind a pooler in transaction mode, declared as for Prisma by `pgbouncer=true`. */
    preparesStatements: !/[?&]pgbouncer=true(&|$)/.test(given.DATABASE_URL ?? ""),
    authSecret: given.AUTH_SECRET,
    encryptionKey: given.ENCRYPTION_KEY,
    /** The previous key: decrypts what is not re-encrypted yet. */
    encryptionKeyOld: given.ENCRYPTION_KEY_OLD,
    backupPassphrase: given.BACKUP_PASSPHRASE,
    bootstrap: bootstrapOf(given),
    inngest: inngestOf(given),
    /** Private hosts (lowercase) and CIDR blocks that may be reached. */
    outboundAllow: given.OUTBOUND_ALLOW,
    rateLimit: given.RATE_LIMIT === "on",
    /** The tier of a new workspace. */
    defaultTier: given.DEFAULT_TIER ?? ("free" satisfies Tier),
    /** The tier of the workspace that first-run set-up creates. */
    firstTier: given.DEFAULT_TIER ?? ("enterprise" satisfies Tier),
    syncWaitMs: given.SYNC_WAIT_MS,
    maxBodyBytes: given.MAX_BODY_BYTES,
    executionConcurrency: given.EXECUTION_CONCURRENCY,
    /** Queued runs per workspace, and steps per run. */
    queueMax: given.QUEUE_MAX,
    runStepsMax: given.RUN_STEPS_MAX,
    tableRowsMax: given.TABLE_ROWS_MAX,
    tableBytesMax: given.TABLE_MAX_BYTES,
    files: fileSettingsOf(given),
    /** Limits of an expression. A code node has its own time limit. */
    sandbox: Object.freeze({
      cpuMs: given.EXPRESSION_CPU_MS,
      memoryBytes: given.SANDBOX_MEMORY_BYTES,
      resultBytes: given.RESULT_MAX_BYTES,
    }),
    /** Bytes of JSON that a run may produce: one output, the result of a loop or merge, and all outputs together. */
    outputs: Object.freeze({
      oneBytes: given.OUTPUT_MAX_BYTES,
      collectedBytes: given.COLLECTED_OUTPUT_MAX_BYTES,
      runBytes: given.RUN_OUTPUT_MAX_BYTES,
    }),
    /** Days that finished executions are kept; unset: forever. */
    retentionDays: given.RETENTION_DAYS,
    /** The bearer token for `/api/metrics`. */
    metricsToken: given.METRICS_TOKEN,
    signUp: given.SIGN_UP,
    github: clientOf(given.GITHUB_CLIENT_ID, given.GITHUB_CLIENT_SECRET),
    google: clientOf(given.GOOGLE_CLIENT_ID, given.GOOGLE_CLIENT_SECRET),
    mail: mailOf(given.SMTP_URL, given.MAIL_FROM),
    /** How many proxies in front of this server append to `X-Forwarded-For`. On Vercel, exactly one. */
    trustedProxies: given.VERCEL ? 1 : given.TRUSTED_PROXIES,
    /** Days that audit log entries are kept; unset: forever. */
    auditRetentionDays: given.AUDIT_RETENTION_DAYS,
  });
}

/** A preview uses its own URL: PUBLIC_URL is set for all deployments of a project, and is production's. */
function publicUrlOf(given: z.infer<typeof variables>) {
  const preview = given.VERCEL_ENV === "preview" ? (given.VERCEL_BRANCH_URL ?? given.VERCEL_URL) : undefined;
  if (preview !== undefined) return `https://${preview}`;
  const { PUBLIC_URL: publicUrl, VERCEL_PROJECT_PRODUCTION_URL: production, PORT: port } = given;
  return publicUrl ?? (production === undefined ? `http://localhost:${port}` : `https://${production}`);
}

/**
 * TRIGGER_ORIGIN is set for all deployments of a project, and is production's: a preview serves everything at its own
 * URL.
 */
function triggerOriginOf({ VERCEL_ENV: kind, TRIGGER_ORIGIN: origin }: z.infer<typeof variables>) {
  return kind === "preview" ? undefined : origin;
}

/** The hosts must differ: browsers share cookies between all ports of a host. */
function sameHosts(given: z.infer<typeof variables>): string[] {
  const [origin, publicUrl] = [triggerOriginOf(given), publicUrlOf(given)];
  if (origin === undefined || new URL(origin).hostname !== new URL(publicUrl).hostname) return [];
  return [`TRIGGER_ORIGIN must be on another host than PUBLIC_URL, ${publicUrl}, but is ${JSON.stringify(origin)}`];
}

function bootstrapOf(given: z.infer<typeof variables>) {
  const { BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password, BOOTSTRAP_API_KEY: apiKey } = given;
  return email && password ? Object.freeze({ email, password, apiKey }) : undefined;
}

function inngestOf(given: z.infer<typeof variables>) {
  const { INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey, INNGEST_BASE_URL: baseUrl } = given;
  const { INNGEST_DEV: dev, INNGEST_SERVE_ORIGIN: serveOrigin, INNGEST_MAX_RUNTIME_MS: maxRuntimeMs } = given;
  if (!eventKey && !signingKey && !baseUrl && !isInngestDev(dev)) return undefined;
  // The app registers with a self-hosted server at each start; with the cloud, at each deployment.
  const isOwnServer = baseUrl !== undefined || isInngestDev(dev);
  return Object.freeze({ isOwnServer, serveOrigin, maxRuntimeMs });
}

/** Inngest's own reading of INNGEST_DEV: a switch, or a development server's URL. */
function isInngestDev(dev: string | undefined): boolean {
  return dev !== undefined && !["0", "false"].includes(dev.trim().toLowerCase());
}

/** An OAuth provider's client. */
function clientOf(id: string | undefined, secret: string | undefined) {
  return id && secret ? Object.freeze({ id, secret }) : undefined;
}

function mailOf(smtpUrl: string | undefined, from: string | undefined) {
  return smtpUrl && from ? Object.freeze({ smtpUrl, from }) : undefined;
}
