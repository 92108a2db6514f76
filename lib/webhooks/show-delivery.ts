import type { DeliveryStatus, ShownDelivery } from "#lib/contract/webhooks.ts";
import { iso } from "#lib/platform/clock.ts";
import { idOfUuid } from "#lib/platform/ids.ts";

const bodyCharactersMax = 65_536;

/** The columns that are told; of a large body, its beginning. */
export const shownColumns = `id, event, execution_id, status, attempts, created_at, last_attempt_at, next_attempt_at,
  answer_status, answer_body, error, left(body, ${bodyCharactersMax}) AS body`;

export interface DeliveryRow extends Record<string, unknown> {
  id: string;
  event: string;
  execution_id: string | null;
  status: DeliveryStatus;
  attempts: number;
  created_at: Date;
  last_attempt_at: Date | null;
  next_attempt_at: Date;
  answer_status: number | null;
  answer_body: string | null;
  error: string | null;
  body: string;
}

export function showDelivery(row: DeliveryRow): ShownDelivery {
  return {
    id: idOfUuid("delivery", row.id),
    event: row.event,
    executionId: row.execution_id,
    status: row.status,
    attempts: row.attempts,
    createdAt: iso(row.created_at),
    lastAttemptAt: row.last_attempt_at === null ? null : iso(row.last_attempt_at),
    nextAttemptAt: row.status === "pending" ? iso(row.next_attempt_at) : null,
    statusCode: row.answer_status,
    responseBody: row.answer_body,
    error: row.error,
    requestBody: row.body,
  };
}
