CREATE TABLE "webhook_subscription" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "active" BOOLEAN NOT NULL,
    "secret" BYTEA NOT NULL,
    "key_version" INTEGER NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "webhook_subscription_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_subscription_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "webhook_subscription_workspace_id_created_at_id_idx" ON "webhook_subscription"("workspace_id", "created_at", "id");

CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL,
    "sequence" BIGSERIAL NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "execution_id" TEXT,
    "event" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "last_attempt_at" TIMESTAMPTZ(3),
    "answer_status" INTEGER,
    "answer_body" TEXT,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "webhook_delivery_subscription_id_created_at_id_idx" ON "webhook_delivery"("subscription_id", "created_at", "id");
-- What the senders look for: small, however long the log is.
CREATE INDEX "webhook_delivery_due_idx" ON "webhook_delivery"("subscription_id", "next_attempt_at", "sequence") WHERE "status" = 'pending';
CREATE INDEX "webhook_delivery_order_idx" ON "webhook_delivery"("execution_id", "subscription_id", "sequence") WHERE "status" = 'pending';
CREATE INDEX "webhook_delivery_leased_idx" ON "webhook_delivery"("subscription_id", "lease_until") WHERE "status" = 'pending' AND "lease_until" IS NOT NULL;
CREATE INDEX "webhook_delivery_last_idx" ON "webhook_delivery"("subscription_id", "last_attempt_at") WHERE "last_attempt_at" IS NOT NULL;
