-- A rotated key's old secret, and until when it still works.
ALTER TABLE "api_key" ADD COLUMN "previous_hash" TEXT, ADD COLUMN "previous_until" TIMESTAMPTZ(3);
CREATE UNIQUE INDEX "api_key_previous_hash_key" ON "api_key"("previous_hash");

-- Lists of credentials, the newest first.
CREATE INDEX "credential_workspace_id_created_at_id_idx" ON "credential"("workspace_id", "created_at", "id");
