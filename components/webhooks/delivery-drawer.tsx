"use client";

import { Drawer, Skeleton, Stack } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useApi, useChange } from "#components/api/use-api.ts";
import { JsonTree } from "#components/json/json-tree.tsx";
import { CodeBlock, ShortId, shortenId } from "#components/page/copy-button.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { Link } from "#components/page/link.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownDelivery, ShownSubscription } from "#lib/contract/webhooks.ts";
import styles from "./delivery-details.module.css";
import { DeliveryStatusMark, withoutRun } from "./delivery-status-mark.tsx";
import { subscriptionQueries } from "./subscription-list.tsx";

interface DeliveryDrawerProps {
  readonly subscription: ShownSubscription;
  readonly id: string | null;
  readonly onClose: () => void;
}

export function DeliveryDrawer({ subscription, id, onClose }: DeliveryDrawerProps) {
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size={520} title="Delivery">
      {id !== null && <Loaded subscription={subscription} id={id} />}
    </Drawer>
  );
}

function Loaded({ subscription, id }: { readonly subscription: ShownSubscription; readonly id: string }) {
  const delivery = useQuery(subscriptionQueries.delivery(useApi(), subscription.id, id));
  if (delivery.data !== undefined) return <DeliveryDetails subscription={subscription} delivery={delivery.data} />;
  if (delivery.isError) {
    return (
      <FailureNotice
        title="The delivery could not be loaded"
        error={delivery.error}
        onRetry={() => void delivery.refetch()}
      />
    );
  }
  return (
    <Stack gap="sm" aria-busy="true">
      <Skeleton height={20} width={160} />
      <Skeleton height={90} />
      <Skeleton height={200} />
    </Stack>
  );
}

interface DeliveryDetailsProps {
  readonly subscription: ShownSubscription;
  readonly delivery: ShownDelivery;
}

/** A delivery: its status, request and response. */
function DeliveryDetails({ subscription, delivery }: DeliveryDetailsProps) {
  const { id, status, statusCode, attempts, error, requestBody, responseBody } = delivery;
  const redelivery = useChange({
    run: (api) => api.call("redeliver", { params: { id: subscription.id, deliveryId: id } }),
    stale: ["webhooks"],
    done: "Sending again now.",
    failed: "The delivery was not sent again.",
  });
  return (
    <div className={styles.details}>
      <div className={styles.head}>
        <DeliveryStatusMark status={status} statusCode={statusCode} wasTried={attempts > 0} />
        <GuardedButton
          scope="webhooks:write"
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
          loading={redelivery.isPending}
          onClick={() => redelivery.mutate(undefined)}
        >
          Send again
        </GuardedButton>
      </div>
      {error !== null && status !== "delivered" && <p className={styles.error}>{error}</p>}
      <Facts delivery={delivery} />
      <h3 className={styles.heading}>Request</h3>
      <p className={styles.line}>
        <span className="mono">POST</span> {subscription.url}
      </p>
      <CodeBlock text={headersOf(delivery)} label="Copy headers" />
      <Body text={requestBody} label="Request body" />
      <h3 className={styles.heading}>Response</h3>
      {statusCode === null ? (
        <p className={styles.none}>No response{delivery.attempts === 0 ? " yet" : ""}.</p>
      ) : (
        <>
          <p className={styles.line}>
            <span className="mono">{statusCode}</span>
          </p>
          {responseBody ? <Body text={responseBody} label="Response body" /> : <p className={styles.none}>No body.</p>}
        </>
      )}
    </div>
  );
}

function Facts({ delivery }: { readonly delivery: ShownDelivery }) {
  const { id, event, executionId, attempts, createdAt, lastAttemptAt, nextAttemptAt } = delivery;
  return (
    <dl className={styles.facts}>
      <dt>Run</dt>
      <dd>
        {executionId === null ? (
          withoutRun(event)
        ) : (
          <Link href={`/runs/${executionId}`} className={styles.link}>
            <span className="mono">{shortenId(executionId)}</span>
          </Link>
        )}
      </dd>
      <dt>Occurred</dt>
      <dd>
        <RelativeTime at={createdAt} />
      </dd>
      <dt>Attempts</dt>
      <dd>
        {attempts}
        {lastAttemptAt !== null && (
          <>
            , the last <RelativeTime at={lastAttemptAt} />
          </>
        )}
      </dd>
      <dt>Next attempt</dt>
      <dd>{nextAttemptAt === null ? "none" : <RelativeTime at={nextAttemptAt} />}</dd>
      <dt>Id</dt>
      <dd>
        <ShortId id={id} subject="delivery" />
      </dd>
    </dl>
  );
}

/** The headers of every attempt; signatures depend on the secret and the attempt's time. */
function headersOf({ id, event }: ShownDelivery): string {
  return [
    "content-type: application/json",
    `x-webhook-id: ${id}`,
    `x-webhook-event: ${event}`,
    "x-webhook-timestamp: <time of the attempt>",
    "x-webhook-signature: <hex HMAC-SHA256 of the body>",
    `webhook-id: ${id}`,
    "webhook-timestamp: <seconds>",
    "webhook-signature: v1,<base64>",
  ].join("\n");
}

function Body({ text, label }: { readonly text: string; readonly label: string }) {
  try {
    return <JsonTree value={JSON.parse(text)} path="body" label={label} />;
  } catch {
    return <CodeBlock text={text} label={`Copy the ${label.toLowerCase()}`} />;
  }
}
