/** The wire formats of model servers, by the type of their credentials, and where each is by itself. */
const addresses = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  "google-ai": "https://generativelanguage.googleapis.com/v1beta",
} as const;

export type ModelServerKind = keyof typeof addresses;

/** A server that answers as a model, and the key for it. */
export interface ModelServer {
  readonly kind: ModelServerKind;
  /** With its version, without a slash at its end. */
  readonly baseUrl: string;
  /** Missing for servers that want none. */
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

/** How to ask a server which models it has, which takes a key that is good and costs nothing. */
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
