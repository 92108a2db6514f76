/** The wire formats of model servers, by credential type, with their default URLs. */
const addresses = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  "google-ai": "https://generativelanguage.googleapis.com/v1beta",
} as const;

export type ModelServerKind = keyof typeof addresses;

/** A model's server and its key. */
export interface ModelServer {
  readonly kind: ModelServerKind;
  /** Including its version, without a trailing slash. */
  readonly baseUrl: string;
  /** Missing for servers that need none. */
  readonly key: string | undefined;
}

/** The server of a credential; null for one of another type. */
export function modelServerOf(type: string, data: Readonly<Record<string, string>>): ModelServer | null {
  if (!isKind(type)) return null;
  const { baseUrl, apiKey } = data;
  return { kind: type, baseUrl: (baseUrl ?? addresses[type]).replace(/\/+$/, ""), key: apiKey };
}

function isKind(type: string): type is ModelServerKind {
  return Object.hasOwn(addresses, type);
}

/** A request that lists a server's models: it needs a valid key and costs nothing. */
export function listModels({ kind, baseUrl, key }: ModelServer): { url: string; headers: Record<string, string> } {
  return { url: `${baseUrl}/models`, headers: { ...versionOf(kind), ...keyHeader(kind, key) } };
}

function versionOf(kind: ModelServerKind): Record<string, string> {
  return kind === "anthropic" ? { "anthropic-version": "2023-06-01" } : {};
}

function keyHeader(kind: ModelServerKind, key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  if (kind === "openai") return { authorization: `Bearer ${key}` };
  return kind === "anthropic" ? { "x-api-key": key } : { "x-goog-api-key": key };
}
