import { imapServerOf } from "#lib/credentials/credential-servers.ts";
import { openCredentials } from "#lib/credentials/open-credentials.ts";
import { createMask } from "#lib/executions/secrets/mask-secrets.ts";
import { secretValues } from "#lib/executions/secrets/run-credentials.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { hostFailure, mayBeSentTo } from "#lib/nodes/http-request/apply-credential.ts";
import type { ImapServer } from "#lib/platform/outbound/imap/imap-server.ts";

/** An account that a poll signs in to, and a mask for its secrets. */
export interface MailboxAccount {
  readonly server: ImapServer;
  readonly mask: ReturnType<typeof createMask>;
}

/** Throws NodeFailure, UnreadableCredential. */
export async function mailboxAccount(workspaceId: string, name: string): Promise<MailboxAccount> {
  const [credential] = await openCredentials(workspaceId, [name]);
  if (credential === undefined) throw new NodeFailure("CREDENTIAL_NOT_FOUND", `There is no credential "${name}"`);
  const { type, data, allowedHosts } = credential;
  if (type !== "imap") {
    throw new NodeFailure("CREDENTIAL_TYPE", `The credential "${name}" is of type ${type}, not imap`);
  }
  const server = imapServerOf(data);
  if (!mayBeSentTo(allowedHosts, server.host)) {
    throw new NodeFailure("CREDENTIAL_HOST", hostFailure(name, allowedHosts, server.host));
  }
  return { server, mask: createMask(secretValues(credential)) };
}
