import { withAccess } from "#lib/credentials/oauth/use-connection.ts";
import { type OpenCredential, openCredentials, UnreadableCredential } from "#lib/credentials/open-credentials.ts";
import type { Run } from "#lib/executions/run.ts";
import type { Expression } from "#lib/expressions/expressions.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import type { CredentialValues } from "#lib/scope/scope.ts";
import { prepareMask } from "./mask-secrets.ts";

/** Credential fields that are not secret: masking a header's name would hide it everywhere. */
const openFields = new Set([
  ...["username", "name", "header", "encoding", "prefix", "toleranceSeconds"],
  ...["host", "port", "security", "from", "database", "ca", "file", "access"],
  ...["accessKeyId", "region", "service"],
  ...["grant", "authorizationUrl", "tokenUrl", "clientId", "scopes", "audience", "authentication", "baseUrl"],
]);

/** The values of a credential that must be masked. */
export function secretValues({ type, data }: Pick<OpenCredential, "type" | "data">): string[] {
  return Object.entries(data).flatMap(([field, value]) => (type !== "custom" && openFields.has(field) ? [] : [value]));
}

/** Masks these credentials' values in everything that the run writes from now on. */
async function rememberSecrets(run: Run, credentials: readonly OpenCredential[]): Promise<void> {
  let isNew = false;
  for (const credential of credentials) {
    const { name, allowedHosts } = credential;
    const values = secretValues(credential);
    // A credential changed during the run keeps its old values masked too.
    const known = run.secrets.get(name)?.values ?? [];
    const all = new Set([...known, ...values]);
    isNew ||= all.size > known.length;
    run.secrets.set(name, { values: [...all], allowedHosts });
  }
  // Serialized, so that no mask is replaced by one with fewer secrets. A step that uses a secret which another is
  // adding waits for the mask.
  if (isNew) run.masking = (run.masking ?? Promise.resolve()).then(() => renewMask(run));
  await run.masking;
}

async function renewMask(run: Run): Promise<void> {
  run.mask = await prepareMask([...run.secrets.values()].flatMap(({ values }) => values));
}

/**
 * Masks the credentials that the flow names before the run's first node: a value may come back from outside in a node
 * that does not use the credential, or after another process has taken over the run.
 */
export function hideNamedSecrets(run: Run): Promise<void> | undefined {
  const names = run.version.credentialNames();
  if (names?.length === 0) return undefined;
  run.secretsHidden ??= hideNamed(run, names);
  return run.secretsHidden;
}

async function hideNamed(run: Run, names: readonly string[] | null): Promise<void> {
  try {
    await rememberSecrets(run, await openCredentials(run.workspaceId, names));
  } catch (error) {
    // A credential that cannot be decrypted cannot leak; it is reported where it is used.
    if (!(error instanceof UnreadableCredential)) throw error;
  }
}

/**
 * The credential of this name, masked from now on. One of type `oauth2` comes with a valid token, other than `refused`
 * if it can be refreshed. Throws NodeFailure if there is none.
 */
export async function useCredential(
  run: Run,
  outbound: Outbound,
  name: string,
  refused?: string,
): Promise<OpenCredential> {
  const [found] = await openCredentials(run.workspaceId, [name]);
  if (found === undefined) throw unknownCredential(name, { field: "credential" });
  const credential = await withAccess(found, outbound, run.stop.signal, refused);
  await rememberSecrets(run, [credential]);
  return credential;
}

/**
 * What `$credentials` holds for these expressions: a string for a `secret`, an object for any other type. Excludes
 * `oauth2`: only requests get its tokens. Throws NodeFailure if they name one that does not exist.
 */
export function credentialValues(
  run: Run,
  expressions: readonly Expression[],
): CredentialValues | Promise<CredentialValues> {
  const users = expressions.filter((expression) => expression.names.includes("$credentials"));
  return users.length === 0 ? {} : openValues(run, users);
}

async function openValues(run: Run, users: readonly Expression[]): Promise<CredentialValues> {
  const all = users.some((expression) => expression.credentialNames === null);
  const named = users.flatMap((expression) => expression.credentialNames ?? []);
  const credentials = await openCredentials(run.workspaceId, all ? null : named);
  await rememberSecrets(run, credentials);
  const missing = named.find((name) => !credentials.some((credential) => credential.name === name));
  if (missing !== undefined) throw unknownCredential(missing);
  const connected = credentials.find(({ name, type }) => type === "oauth2" && named.includes(name));
  if (connected !== undefined) {
    const message = `The credential "${connected.name}" has no values for expressions: name it in a request's credential`;
    throw new NodeFailure("CREDENTIAL_TYPE", message);
  }
  const readable = credentials.filter(({ type }) => type !== "oauth2");
  return Object.fromEntries(
    readable.map(({ name, type, data }) => [name, type === "secret" ? (data.value ?? "") : data]),
  );
}

function unknownCredential(name: string, options: { field?: string } = {}): NodeFailure {
  return new NodeFailure("UNKNOWN_CREDENTIAL", `There is no credential named "${name}"`, options);
}
