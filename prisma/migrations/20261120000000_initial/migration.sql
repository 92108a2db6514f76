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
    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "api_key_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");
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
