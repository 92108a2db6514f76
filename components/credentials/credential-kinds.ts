import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { Api } from "#components/api/use-api.ts";
import type { CredentialType } from "#lib/contract/credential-types.ts";
import type { credential, listCredentialUses } from "#lib/contract/credentials.ts";

export interface CredentialField {
  readonly name: string;
  readonly label: string;
  readonly secret?: boolean;
  readonly optional?: boolean;
  readonly placeholder?: string;
  readonly choices?: readonly (string | { readonly value: string; readonly label: string })[];
  /** The meaning of choosing none. */
  readonly whenEmpty?: string;
  readonly isNumber?: boolean;
  /** Its line breaks matter. */
  readonly hasLines?: boolean;
  /** Whether it is shown, given the other fields' values; if shown, it is required. */
  readonly isAsked?: (known: Readonly<Record<string, string>>) => boolean;
}

interface CredentialKind {
  readonly label: string;
  /** Its purpose. */
  readonly hint: string;
  /** Null: the user names the fields. */
  readonly fields: readonly CredentialField[] | null;
}

const databaseFields = (port: string): readonly CredentialField[] => [
  { name: "host", label: "Host", placeholder: "db.example.com" },
  { name: "port", label: "Port", isNumber: true, optional: true, placeholder: port },
  { name: "database", label: "Database" },
  { name: "username", label: "User name" },
  { name: "password", label: "Password", secret: true, optional: true },
  { name: "security", label: "Security", optional: true, choices: ["tls", "unverified", "none"] },
  { name: "ca", label: "CA certificate (PEM)", optional: true, hasLines: true },
];

const modelFields = (address: string, keyOptional = false): readonly CredentialField[] => [
  { name: "apiKey", label: "API key", secret: true, optional: keyOptional },
  { name: "baseUrl", label: "Base URL", optional: true, placeholder: address },
];

/** The form of each credential type. The API validates the values. */
export const credentialKinds: Readonly<Record<CredentialType, CredentialKind>> = {
  bearer: {
    label: "Bearer token",
    hint: "Sent as Authorization: Bearer, or required from callers of a trigger.",
    fields: [{ name: "token", label: "Token", secret: true }],
  },
  basic: {
    label: "User name and password",
    hint: "Sent as Authorization: Basic, or required from callers of a trigger.",
    fields: [
      { name: "username", label: "User name" },
      { name: "password", label: "Password", secret: true },
    ],
  },
  header: {
    label: "Header",
    hint: "A custom header, such as X-Api-Key.",
    fields: [
      { name: "name", label: "Header", placeholder: "X-Api-Key" },
      { name: "value", label: "Value", secret: true },
    ],
  },
  query: {
    label: "Query parameter",
    hint: "Added to the request URL.",
    fields: [
      { name: "name", label: "Parameter", placeholder: "api_key" },
      { name: "value", label: "Value", secret: true },
    ],
  },
  secret: {
    label: "Secret text",
    hint: "One value for expressions: $credentials.<name> gives its text.",
    fields: [{ name: "value", label: "Value", secret: true }],
  },
  hmac: {
    label: "HMAC signature",
    hint: "Verifies that a trigger call was signed with the shared secret.",
    fields: [
      { name: "secret", label: "Secret", secret: true },
      { name: "header", label: "Signature header", optional: true, placeholder: "X-Signature" },
      { name: "encoding", label: "Encoding", optional: true, choices: ["hex", "base64"] },
      { name: "prefix", label: "Signature prefix", optional: true, placeholder: "sha256=" },
      {
        name: "toleranceSeconds",
        label: "Maximum age (seconds)",
        optional: true,
        isNumber: true,
        placeholder: "300",
      },
    ],
  },
  smtp: {
    label: "Mail server (SMTP)",
    hint: "The server that the Send mail node sends through, and the sender.",
    fields: [
      { name: "host", label: "Host", placeholder: "smtp.example.com" },
      { name: "port", label: "Port", isNumber: true, placeholder: "587" },
      { name: "security", label: "Security", optional: true, choices: ["tls", "starttls", "none"] },
      { name: "username", label: "User name", optional: true },
      { name: "password", label: "Password", secret: true, optional: true },
      { name: "from", label: "Sender", placeholder: "Shop <shop@example.com>" },
    ],
  },
  imap: {
    label: "Mailbox (IMAP)",
    hint: "The mailbox that the New mail trigger polls.",
    fields: [
      { name: "host", label: "Host", placeholder: "imap.example.com" },
      { name: "port", label: "Port", isNumber: true, optional: true, placeholder: "993" },
      { name: "security", label: "Security", optional: true, choices: ["tls", "starttls", "none"] },
      { name: "username", label: "User name" },
      { name: "password", label: "Password", secret: true, optional: true },
      { name: "accessToken", label: "Access token (OAuth2), in place of a password", secret: true, optional: true },
      { name: "ca", label: "CA certificate (PEM)", optional: true, hasLines: true },
    ],
  },
  postgres: {
    label: "PostgreSQL",
    hint: "The database and the account that the SQL node uses.",
    fields: databaseFields("5432"),
  },
  mysql: {
    label: "MySQL or MariaDB",
    hint: "The database and the account that the SQL node uses.",
    fields: databaseFields("3306"),
  },
  mssql: {
    label: "SQL Server",
    hint: "The Microsoft SQL Server or Azure SQL database and the account that the SQL node uses.",
    fields: databaseFields("1433"),
  },
  sqlite: {
    label: "SQLite",
    hint: "A database in a file of this workspace, on the server's disk, for the SQL node.",
    fields: [
      { name: "file", label: "File", placeholder: "shop.db" },
      {
        ...{ name: "access", label: "Access", optional: true, whenEmpty: "Read and write" },
        choices: [
          { value: "create", label: "Read and write; create the file if it is missing" },
          { value: "read", label: "Read only" },
        ],
      },
    ],
  },
  openai: {
    label: "OpenAI or compatible",
    hint: "The model server that the AI and Agent nodes ask: OpenAI, or any compatible server by its base URL.",
    fields: modelFields("https://api.openai.com/v1", true),
  },
  anthropic: {
    label: "Anthropic",
    hint: "The model server that the AI and Agent nodes ask.",
    fields: modelFields("https://api.anthropic.com/v1"),
  },
  "google-ai": {
    label: "Google AI",
    hint: "The model server that the AI and Agent nodes ask.",
    fields: modelFields("https://generativelanguage.googleapis.com/v1beta"),
  },
  oauth2: {
    label: "OAuth2",
    hint: "Sent as Authorization: Bearer with a token that is fetched and renewed automatically.",
    fields: [
      {
        ...{ name: "grant", label: "Who signs in", optional: true },
        choices: [{ value: "client_credentials", label: "The application itself (client credentials)" }],
        whenEmpty: "A person, at the provider (authorization code)",
        isAsked: () => true,
      },
      {
        ...{ name: "authorizationUrl", label: "Authorization URL", optional: true, placeholder: "https://…/authorize" },
        isAsked: ({ grant }) => grant !== "client_credentials",
      },
      { name: "tokenUrl", label: "Token URL", placeholder: "https://…/token" },
      { name: "clientId", label: "Client ID" },
      { name: "clientSecret", label: "Client secret", secret: true, optional: true },
      { name: "scopes", label: "Scopes", optional: true, placeholder: "read write" },
      { name: "audience", label: "Audience", optional: true },
      {
        ...{ name: "authentication", label: "Application credentials", optional: true },
        choices: [{ value: "basic", label: "In a header (HTTP Basic)" }],
        whenEmpty: "In the request's body",
        isAsked: () => true,
      },
    ],
  },
  aws: {
    label: "AWS access key",
    hint: "Signs requests to Amazon S3, to other AWS services, and to compatible stores.",
    fields: [
      { name: "accessKeyId", label: "Access key ID", placeholder: "AKIA…" },
      { name: "secretAccessKey", label: "Secret access key", secret: true },
      { name: "sessionToken", label: "Session token", secret: true, optional: true },
      { name: "region", label: "Region", placeholder: "eu-central-1" },
      { name: "service", label: "Service", optional: true, placeholder: "s3" },
    ],
  },
  custom: {
    label: "Several values",
    hint: "Fields you name yourself: $credentials.<name>.<field>.",
    fields: null,
  },
};

const kinds: Readonly<Record<string, CredentialKind>> = credentialKinds;

export function kindLabel(type: string): string {
  return kinds[type]?.label ?? type;
}

export type ShownCredential = z.output<typeof credential>;
export type ShownCredentialUse = z.output<typeof listCredentialUses.answer>[number];

export const credentialQueries = {
  list: (api: Api, page: string | undefined, search: string | undefined) =>
    queryOptions({
      queryKey: ["credentials", "list", page, search],
      queryFn: ({ signal }) => api.callList("listCredentials", { query: { page, search }, signal }),
      placeholderData: keepPreviousData,
    }),
  uses: (api: Api, id: string) =>
    queryOptions({
      queryKey: ["credentials", "uses", id],
      queryFn: ({ signal }) => api.call("listCredentialUses", { params: { id }, signal }),
    }),
};

/** The form's values: by field name, or for `custom`, name and value pairs. */
export interface CredentialValues {
  readonly known: Readonly<Record<string, string>>;
  readonly own: readonly { readonly name: string; readonly value: string }[];
}

export const noValues: CredentialValues = { known: {}, own: [{ name: "", value: "" }] };

export function hasValues({ known, own }: CredentialValues): boolean {
  return Object.values(known).some((value) => value !== "") || own.some(({ value }) => value !== "");
}

/** The API's `data`, without empty optional fields. */
export function dataOf(type: CredentialType, { known, own }: CredentialValues): Record<string, string | number> {
  const { fields } = credentialKinds[type];
  if (fields === null) {
    const named = own.filter(({ name, value }) => name !== "" || value !== "");
    return Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]));
  }
  const given = fields.flatMap(({ name, optional = false, isNumber = false, isAsked }) => {
    const value = known[name] ?? "";
    if ((optional && value === "") || isAsked?.(known) === false) return [];
    return [[name, isNumber ? Number(value) : value] as const];
  });
  return Object.fromEntries(given);
}

/** Hosts, one per line or separated by commas. */
export function hostsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((host) => host !== "");
}
