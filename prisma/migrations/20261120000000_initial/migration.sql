CREATE TABLE "workspace" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "tier" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "workspace_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "user" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

CREATE TABLE "membership" (
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "membership_pkey" PRIMARY KEY ("workspace_id", "user_id"),
    CONSTRAINT "membership_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "membership_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "membership_user_id_idx" ON "membership"("user_id");

CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- A rotated key's old secret, and until when it still works.
    "previous_hash" TEXT,
    "previous_until" TIMESTAMPTZ(3),
    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "api_key_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");
CREATE UNIQUE INDEX "api_key_previous_hash_key" ON "api_key"("previous_hash");
CREATE INDEX "api_key_workspace_id_created_at_idx" ON "api_key"("workspace_id", "created_at");

CREATE TABLE "flow" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "hook_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "status" TEXT NOT NULL,
    "tags" TEXT[],
    "settings" TEXT,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "flow_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "flow_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "flow_hook_id_key" ON "flow"("hook_id");
CREATE INDEX "flow_workspace_id_created_at_id_idx" ON "flow"("workspace_id", "created_at", "id");

CREATE TABLE "flow_version" (
    "flow_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" TEXT NOT NULL,
    "branches" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" TEXT,
    CONSTRAINT "flow_version_pkey" PRIMARY KEY ("flow_id", "version")
);

CREATE TABLE "execution" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "flow_id" TEXT NOT NULL,
    "flow_name" TEXT NOT NULL,
    "flow_version" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "trigger_type" TEXT NOT NULL,
    "trigger" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "metadata" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "duration_ms" INTEGER,
    "output" TEXT,
    "error_message" TEXT,
    "error_node_id" TEXT,
    "error_code" TEXT,
    "warnings" TEXT,
    "nodes_executed" INTEGER NOT NULL DEFAULT 0,
    "error_count" INTEGER NOT NULL DEFAULT 0,
    "warning_count" INTEGER NOT NULL DEFAULT 0,
    "cancelled_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "original_execution_id" TEXT,
    "from_node" TEXT,
    "timeout_ms" INTEGER NOT NULL,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "losses" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    CONSTRAINT "execution_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "execution_workspace_id_started_at_id_idx" ON "execution"("workspace_id", "started_at", "id");
CREATE INDEX "execution_workspace_id_flow_id_started_at_id_idx" ON "execution"("workspace_id", "flow_id", "started_at", "id");
CREATE INDEX "execution_workspace_id_status_started_at_id_idx" ON "execution"("workspace_id", "status", "started_at", "id");
-- What the workers look for: runs nobody has, and runs whose lease ended. Small, however many runs are stored.
CREATE INDEX "execution_open_idx" ON "execution"("started_at") WHERE "status" IN ('pending', 'running');
CREATE INDEX "execution_open_flow_idx" ON "execution"("flow_id", "started_at") WHERE "status" IN ('pending', 'running');

CREATE TABLE "node_execution" (
    "execution_id" TEXT NOT NULL,
    "node_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "node_name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "retries" INTEGER NOT NULL DEFAULT 0,
    "handle" TEXT,
    "input" TEXT,
    "output" TEXT,
    "error" TEXT,
    -- The form of the HTTP answer that the node asked for (status and headers, as JSON text): without it a run that
    -- another process goes on with would forget how its caller is to be answered.
    "answer" TEXT,
    CONSTRAINT "node_execution_pkey" PRIMARY KEY ("execution_id", "node_id")
);

CREATE TABLE "log_entry" (
    "id" BIGSERIAL NOT NULL,
    "execution_id" TEXT NOT NULL,
    "timestamp" TIMESTAMPTZ(3) NOT NULL,
    "level" TEXT NOT NULL,
    "node_id" TEXT,
    "message" TEXT NOT NULL,
    "data" TEXT,
    CONSTRAINT "log_entry_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "log_entry_execution_id_id_idx" ON "log_entry"("execution_id", "id");

CREATE TABLE "execution_rollup" (
    "workspace_id" TEXT NOT NULL,
    "flow_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "shard" INTEGER NOT NULL,
    "started" INTEGER NOT NULL DEFAULT 0,
    "completed" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "cancelled" INTEGER NOT NULL DEFAULT 0,
    "timeout" INTEGER NOT NULL DEFAULT 0,
    "completed_duration" BIGINT NOT NULL DEFAULT 0,
    "total_duration" BIGINT NOT NULL DEFAULT 0,
    "last_started_at" TIMESTAMPTZ(3),
    CONSTRAINT "execution_rollup_pkey" PRIMARY KEY ("flow_id", "day", "shard")
);
CREATE INDEX "execution_rollup_workspace_id_day_idx" ON "execution_rollup"("workspace_id", "day");

CREATE TABLE "credential" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "key_version" INTEGER NOT NULL,
    "allowed_hosts" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "credential_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "credential_workspace_id_name_key" ON "credential"("workspace_id", "name");
CREATE INDEX "credential_workspace_id_created_at_id_idx" ON "credential"("workspace_id", "created_at", "id");

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
    -- Who has claimed it, and how often it was claimed: attempts that were made are counted apart from that.
    "fence" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
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

CREATE TABLE "idempotency_key" (
    "workspace_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "status" INTEGER,
    "headers" TEXT,
    "answer" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("workspace_id", "key")
);
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

CREATE TABLE "quota_window" (
    "workspace_id" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,
    CONSTRAINT "quota_window_pkey" PRIMARY KEY ("workspace_id", "started_at")
);
