import { depthHeader, depthOf, isTriggerUrl } from "#lib/engine/flow-body.ts";
import { memberText } from "#lib/json/member-text.ts";
import { retryAfterMs } from "#lib/nodes/retries/retry-policy.ts";
import { query } from "#lib/platform/database.ts";
import { idOfUuid } from "#lib/platform/ids.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { isOutboundError } from "#lib/platform/outbound/outbound-error.ts";
import type { OpenedDelivery } from "./claim-deliveries.ts";
import { openSecret, signDelivery } from "./sign-delivery.ts";

const timeoutMs = 10_000;
const answerBytesRead = 65_536;
const excerptCharactersMax = 4_096;

/** The result of one attempt. */
export interface Attempt {
  readonly sentAt: Date;
  readonly url: string;
  /** Null: there was no response. */
  readonly status: number | null;
  readonly answer: string | null;
  /** Why it does not count as delivered; null if it does. */
  readonly error: string | null;
  /** How long the receiver asks us to wait. */
  readonly retryAfterMs: number;
  /** This process aborted the attempt, which says nothing about the receiver. */
  readonly aborted: boolean;
}

type Sent = Omit<OpenedDelivery, "bodyBytes" | "failures" | "fence">;

/** Makes one attempt. Never rejects. */
export async function sendDelivery(
  delivery: Sent,
  outbound: Pick<Outbound, "send">,
  sentAt: Date,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const { status, headers, body } = await outbound.send({
      method: "POST",
      url: delivery.url,
      headers: await headersOf(delivery, sentAt),
      body: delivery.body,
      timeoutMs,
      followRedirects: false,
      bodyBytesRead: answerBytesRead,
      bodyMayBreakOff: true,
      signal,
    });
    const delivered = status >= 200 && status < 300;
    const mayAskForPause = status === 429 || status === 503;
    return {
      sentAt,
      url: delivery.url,
      status,
      answer: excerptOf(body),
      error: delivered ? null : `The receiver answered ${status}`,
      retryAfterMs: mayAskForPause ? (retryAfterMs(headers, sentAt.getTime()) ?? 0) : 0,
      aborted: false,
    };
  } catch (error) {
    const aborted = isOutboundError(error) && error.code === "ABORTED";
    const { id, url } = delivery;
    return { sentAt, url, status: null, answer: null, error: messageOf(error, id), retryAfterMs: 0, aborted };
  }
}

async function headersOf(delivery: Sent, sentAt: Date): Promise<Record<string, string>> {
  const { workspaceId, subscriptionId, event, body } = delivery;
  const id = idOfUuid("delivery", delivery.id);
  const secret = openSecret(delivery, workspaceId, subscriptionId);
  return {
    "content-type": "application/json",
    "accept-encoding": "identity",
    "user-agent": "Millrace-Webhooks",
    ...signDelivery(secret, { id, event, body, sentAt }),
    ...(isTriggerUrl(delivery.url) ? { [depthHeader]: String((await depthOfRun(delivery.executionId)) + 1) } : {}),
  };
}

/** A flow that the workspace's events start would also be started by its own runs: the depth ends the chain. */
async function depthOfRun(executionId: string | null): Promise<number> {
  const text = "SELECT trigger FROM execution WHERE id = $1";
  const [row] = await query<{ trigger: string }>("depth-of-run", text, [executionId]);
  // The body may be large.
  const headers = row && memberText(row.trigger, "headers");
  return headers === undefined ? 0 : depthOf(JSON.parse(headers) as Record<string, string>);
}

/** Text that the database can store. */
function excerptOf(body: Buffer): string {
  return body.toString("utf8").slice(0, excerptCharactersMax).toWellFormed().replaceAll("\u0000", "\ufffd");
}

function messageOf(error: unknown, deliveryId: string): string {
  if (isOutboundError(error)) return error.message;
  logLine("error", "A delivery could not be made", { deliveryId, ...errorFields(error) });
  return "The delivery could not be made";
}
