-- Who comes in through GitHub or Google has no password.
ALTER TABLE "user" ALTER COLUMN "password_hash" DROP NOT NULL;
ALTER TABLE "user" ADD COLUMN "last_workspace_id" TEXT;

CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "workspace_id" TEXT,
    "method" TEXT NOT NULL,
    "ip" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "session_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

CREATE TABLE "identity" (
    "provider" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "identity_pkey" PRIMARY KEY ("provider", "account_id"),
    CONSTRAINT "identity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "identity_user_id_idx" ON "identity"("user_id");

CREATE TABLE "invitation" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "invited_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "invitation_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");
CREATE UNIQUE INDEX "invitation_workspace_id_email_key" ON "invitation"("workspace_id", "email");
CREATE INDEX "invitation_email_idx" ON "invitation"("email");

CREATE TABLE "password_reset" (
    "token_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "password_reset_pkey" PRIMARY KEY ("token_hash"),
    CONSTRAINT "password_reset_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "password_reset_user_id_idx" ON "password_reset"("user_id");

CREATE TABLE "two_factor" (
    "user_id" TEXT NOT NULL,
    "secret" BYTEA NOT NULL,
    "key_version" INTEGER NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    -- The time step of the last code that was taken: no code works twice.
    "last_step" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "two_factor_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "two_factor_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "recovery_code" (
    "user_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("user_id", "hash"),
    CONSTRAINT "recovery_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "sign_in_failure" (
    "key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "sign_in_failure_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "sign_in_failure_last_at_idx" ON "sign_in_failure"("last_at");

CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "subject_name" TEXT,
    "ip" TEXT,
    "request_id" TEXT,
    "before" TEXT,
    "after" TEXT,
    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_entry_workspace_id_at_id_idx" ON "audit_entry"("workspace_id", "at", "id");

-- The log is only ever added to. Old entries go through the function below and in no other way.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('millrace.audit_retention', true) = 'on' THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'The audit log is only ever added to' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER "audit_entry_kept" BEFORE UPDATE OR DELETE ON "audit_entry"
    FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_entry_kept_whole" BEFORE TRUNCATE ON "audit_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();

CREATE FUNCTION "delete_audit_entries_before"("time" TIMESTAMPTZ) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE gone BIGINT;
BEGIN
    PERFORM set_config('millrace.audit_retention', 'on', true);
    DELETE FROM "audit_entry" WHERE "at" < "time";
    GET DIAGNOSTICS gone = ROW_COUNT;
    PERFORM set_config('millrace.audit_retention', '', true);
    RETURN gone;
END $$;
