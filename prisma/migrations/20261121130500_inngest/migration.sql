-- dispatched_at: when the run was last handed to Inngest, while nobody has taken it up since.
ALTER TABLE "execution" ADD COLUMN "dispatched_at" TIMESTAMPTZ(3);

-- fence: the claim of the run under which an Inngest function began the step; 0 where a process of ours did.
-- claimed_by, claimed_until: the request that is doing the step at present, so that another delivery of it waits.
ALTER TABLE "node_execution"
  ADD COLUMN "fence" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "claimed_by" TEXT,
  ADD COLUMN "claimed_until" TIMESTAMPTZ(3);

-- Runs that wait and that no function attends to.
CREATE INDEX "execution_unattended_idx" ON "execution"("wake_at")
  WHERE "status" = 'running' AND "wake_at" IS NOT NULL AND "lease_owner" IS NULL AND "dispatched_at" IS NULL;
