import { z } from "zod";

/** Shorter values cannot be masked in outputs and logs: they occur everywhere. */
export const secretCharactersMin = 4;
const charactersMax = 16_384;
const fieldsMax = 50;
/** Valid characters of a header: no control characters but the tab. */
const headerText = /^(?:\t|\P{Cc})*$/u;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

const text = (label: string) =>
  z.string(`${label} must be text`).max(charactersMax, `${label} must have at most ${charactersMax} characters`);

const secret = (label: string) =>
  text(label)
    .refine(
      (value) => value.trim().length >= secretCharactersMin,
      `${label} must have at least ${secretCharactersMin} characters: a shorter one could not be hidden in outputs and logs`,
    )
    .meta({ writeOnly: true });

const sent = (label: string) => secret(label).regex(headerText, `${label} must not contain line breaks`);

const header = (label: string) => text(label).regex(headerName, `${label} must be the name of a header`);

const seconds = z
  .int("toleranceSeconds must be a whole number")
  .min(0, "toleranceSeconds must be 0 or more")
  .max(86_400, "toleranceSeconds must be at most 86400");

const port = z
  .int("port must be a whole number")
  .min(1, "port must be 1 or more")
  .max(65_535, "port must be at most 65535");

/** A database and an account in it. */
const databaseData = (portDefault: number) =>
  z.object({
    host: text("host")
      .regex(/^[\w.-]+$|^\[[0-9a-fA-F:.]+\]$/, "host must be the name or address of a database server")
      .describe("The database server's name or address"),
    port: port.optional().describe(`Default: ${portDefault}.`),
    database: text("database").min(1, "database must not be empty").describe("The database's name."),
    username: text("username").min(1, "username must not be empty").describe("The user's name"),
    password: secret("password").optional().describe("The password"),
    security: z
      .enum(["tls", "unverified", "none"], "security must be tls, unverified or none")
      .optional()
      .describe("`tls` (default) checks the server's certificate, `unverified` only encrypts, `none` does neither."),
    ca: text("ca")
      .regex(/^\s*-----BEGIN CERTIFICATE-----/, "ca must be certificates in PEM")
      .optional()
      .describe("Certificates of the authorities to trust, in PEM; default: the well-known ones."),
  });

/** A database in a file on the server. */
const sqliteData = z.object({
  file: text("file")
    .max(200, "file must have at most 200 characters")
    .regex(
      /^[\p{L}\p{N}_][\p{L}\p{N}_ .-]*(\/[\p{L}\p{N}_][\p{L}\p{N}_ .-]*)*$/u,
      "file must be a path such as shop.db or reports/2026.db: letters, digits, _, -, dots and spaces, each part starting with a letter, digit or _",
    )
    .refine((value) => !/-(?:wal|shm|journal)$/i.test(value), "file must not be the log of a database")
    .describe("The database's path below the workspace's folder, `DATA_DIR/files/databases/<workspace id>`"),
  access: z
    .enum(["create", "write", "read"], "access must be create, write or read")
    .optional()
    .describe("`write` (default) opens a file that exists, `create` makes it if it is missing, `read` only reads it."),
});

/** An IMAP server and an account on it. */
const imapData = z
  .object({
    host: text("host")
      .regex(/^[\w.-]+$|^\[[0-9a-fA-F:.]+\]$/, "host must be the name or address of a mail server")
      .describe("The mail server's name or address"),
    port: port.optional().describe("Default: 993; 143 with `starttls` and `none`."),
    security: z
      .enum(["tls", "starttls", "none"], "security must be tls, starttls or none")
      .optional()
      .describe(
        "`tls` (default): encrypted from the first byte. `starttls`: before anything is said. `none`: not at all.",
      ),
    username: text("username")
      .min(1, "username must not be empty")
      .max(1_000, "username must have at most 1000 characters")
      .regex(headerText, "username must not contain line breaks")
      .describe("The user's name"),
    password: sent("password").optional().describe("The password"),
    accessToken: sent("accessToken")
      .optional()
      .describe("An OAuth2 access token, instead of a password. It is not renewed: use an app password if you can."),
    ca: text("ca")
      .regex(/^\s*-----BEGIN CERTIFICATE-----/, "ca must be certificates in PEM")
      .optional()
      .describe("Certificates of the authorities to trust, in PEM; default: the well-known ones."),
  })
  .refine(({ password, accessToken }) => (password === undefined) !== (accessToken === undefined), {
    path: ["password"],
    message: "password or accessToken is required, and only one of them",
  });

/** A URL that a browser or this service opens. Not a secret. */
const address = (label: string) =>
  text(label)
    .max(2_000, `${label} must have at most 2000 characters`)
    .regex(/^https?:\/\/[^\s@#]+$/i, `${label} must be an http or https URL without a user, a fragment and spaces`)
    .refine((value) => URL.canParse(value), `${label} must be a URL`);

const modelKey = (description: string) => sent("apiKey").meta({ description, writeOnly: true });

/** A language model's server. */
const modelData = <Key extends z.ZodType>(key: Key, where: string) =>
  z.object({
    apiKey: key,
    baseUrl: address("baseUrl")
      .regex(/^[^?]*$/, "baseUrl must have no query")
      .optional()
      .describe(`With the version; default: \`${where}\`.`),
  });

export const oauthGrants = ["authorization_code", "client_credentials"] as const;

/** An OAuth application at a provider, and its scopes. */
const oauthData = z
  .object({
    grant: z
      .enum(oauthGrants, "grant must be authorization_code or client_credentials")
      .default("authorization_code")
      .describe(
        "`authorization_code` (default): a person consents at the provider. `client_credentials`: the application itself signs in.",
      ),
    authorizationUrl: address("authorizationUrl")
      .optional()
      .describe("Where a person consents; its query parameters are kept. Required for `authorization_code`."),
    tokenUrl: address("tokenUrl").describe("Where tokens are fetched and renewed."),
    clientId: text("clientId")
      .min(1, "clientId must not be empty")
      .max(1_000, "clientId must have at most 1000 characters")
      .describe("The application's id at the provider"),
    clientSecret: secret("clientSecret")
      .optional()
      .describe("Not needed by public applications, which PKCE protects. Required for `client_credentials`."),
    scopes: text("scopes")
      .max(2_000, "scopes must have at most 2000 characters")
      .regex(/^[\x20-\x7e]*$/, "scopes must be words between spaces")
      .optional()
      .describe("What to request, separated by spaces."),
    audience: text("audience")
      .max(2_000, "audience must have at most 2000 characters")
      .optional()
      .describe("Sent as `audience`, if a provider needs it."),
    authentication: z
      .enum(["body", "basic"], "authentication must be body or basic")
      .optional()
      .describe("How the application sends its secret to `tokenUrl`: in the `body` (default) or as `basic`."),
  })
  .refine(({ grant, authorizationUrl }) => grant === "client_credentials" || authorizationUrl !== undefined, {
    path: ["authorizationUrl"],
    message: "authorizationUrl is required for authorization_code",
  })
  .refine(({ grant, clientSecret }) => grant === "authorization_code" || clientSecret !== undefined, {
    path: ["clientSecret"],
    message: "clientSecret is required for client_credentials",
  });

/** The data of each credential type. Every value is stored as text. */
export const credentialData = {
  secret: z.object({ value: secret("value").describe("The value") }),
  bearer: z.object({ token: sent("token").describe("The token") }),
  basic: z.object({
    username: text("username")
      .min(1, "username must not be empty")
      .regex(/^[^:]*$/, "username must not contain a colon")
      .describe("The user's name"),
    password: secret("password").describe("The password"),
  }),
  header: z.object({
    name: header("name").describe("The header's name"),
    value: sent("value").describe("The value"),
  }),
  query: z.object({
    name: text("name").min(1, "name must not be empty").describe("The parameter's name"),
    value: secret("value").describe("The value"),
  }),
  hmac: z.object({
    secret: secret("secret").describe("The key for signatures"),
    header: header("header").optional().describe("Name of the header that carries the signature"),
    encoding: z
      .enum(["hex", "base64"], "encoding must be hex or base64")
      .optional()
      .describe("The encoding of the signature"),
    prefix: text("prefix").optional().describe("The text before the signature"),
    toleranceSeconds: seconds.optional().describe("The maximum age of a signature's timestamp"),
  }),
  smtp: z.object({
    host: text("host")
      .regex(/^[\w.-]+$|^\[[0-9a-fA-F:.]+\]$/, "host must be the name or address of a mail server")
      .describe("The mail server's name or address"),
    port: port.describe("The mail server's port"),
    security: z
      .enum(["tls", "starttls", "none"], "security must be tls, starttls or none")
      .optional()
      .describe("Default: `tls` for port 465, else `starttls`."),
    username: text("username").min(1, "username must not be empty").optional().describe("The user's name"),
    password: secret("password").optional().describe("The password"),
    from: text("from")
      .regex(/^[^\r\n]+@[^\r\n]+$/, "from must be a sender such as Shop <shop@example.com>")
      .describe("The sender, such as `Shop <shop@example.com>`."),
  }),
  imap: imapData,
  postgres: databaseData(5432),
  mysql: databaseData(3306),
  mssql: databaseData(1433),
  sqlite: sqliteData,
  openai: modelData(modelKey("Omit it for servers that need none.").optional(), "https://api.openai.com/v1"),
  anthropic: modelData(modelKey("A key from the console."), "https://api.anthropic.com/v1"),
  "google-ai": modelData(modelKey("A key from AI Studio."), "https://generativelanguage.googleapis.com/v1beta"),
  oauth2: oauthData,
  aws: z.object({
    accessKeyId: text("accessKeyId")
      .regex(/^[\w-]+$/, "accessKeyId must be letters and digits")
      .describe("The access key's id, such as AKIA…."),
    secretAccessKey: sent("secretAccessKey").describe("The access key itself."),
    sessionToken: sent("sessionToken").optional().describe("For a temporary key."),
    region: text("region")
      .regex(/^[\w-]+$/, "region must be letters, digits and -")
      .describe("The region that requests are signed for, such as eu-central-1."),
    service: text("service")
      .regex(/^[\w-]+$/, "service must be letters, digits and -")
      .optional()
      .describe("The service that requests are signed for; default: s3."),
  }),
  custom: z
    .record(z.string().min(1, "a field needs a name"), secret("a field"), "data must be an object of text fields")
    .refine((data) => Object.keys(data).length > 0, "data must have at least one field")
    .refine((data) => Object.keys(data).length <= fieldsMax, `data must have at most ${fieldsMax} fields`),
} as const;

export const credentialTypes = Object.keys(credentialData) as [CredentialType, ...CredentialType[]];
export type CredentialType = keyof typeof credentialData;
