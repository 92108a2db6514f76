import { type OpenCredential, openCredentials } from "#lib/credentials/open-credentials.ts";
import type { Expression } from "#lib/engine/expression.ts";
import { createMask } from "./mask-secrets.ts";
import type { Run } from "./run.ts";
import type { CredentialValues } from "./scope.ts";

/** Credential fields that are no secrets: hiding a header's name would hide it everywhere. */
const openFields = new Set(["username", "name", "header", "encoding", "prefix", "toleranceSeconds"]);

/** From now on the values of these credentials are hidden in everything that the run writes. */
export function rememberSecrets(run: Run, credentials: readonly OpenCredential[]): void {
  for (const { name, data, type } of credentials) {
    const values = Object.entries(data).flatMap(([field, value]) =>
      type !== "custom" && openFields.has(field) ? [] : [value],
    );
    run.secrets.set(name, values);
  }
  run.mask = createMask([...run.secrets.values()].flat());
}

/** What `$credentials` holds for these expressions: the string of a `secret`, the object of any other. */
export async function credentialValues(run: Run, expressions: readonly Expression[]): Promise<CredentialValues> {
  const users = expressions.filter((expression) => expression.names.includes("$credentials"));
  if (users.length === 0) return {};
  const all = users.some((expression) => expression.credentialNames === null);
  const names = all ? null : users.flatMap((expression) => expression.credentialNames ?? []);
  const credentials = await openCredentials(run.workspaceId, names);
  rememberSecrets(run, credentials);
  return Object.fromEntries(
    credentials.map(({ name, type, data }) => [name, type === "secret" ? (data.value ?? "") : data]),
  );
}
