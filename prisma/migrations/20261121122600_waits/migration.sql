-- What steps of runs wait for. A row may be there before its step waits: who was told the address may call it early.
CREATE TABLE "execution_wait" (
  "execution_id" TEXT NOT NULL,
  "step_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "until" TIMESTAMPTZ(3),
  "state" TEXT,
  "token_hash" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "resumed_at" TIMESTAMPTZ(3),
  "value" TEXT,
  CONSTRAINT "execution_wait_pkey" PRIMARY KEY ("execution_id", "step_id")
);

-- wake_at: set while nothing of a run goes on anywhere; when it is to be looked at again.
-- work_ms: what the run has used of its time limit; waiting does not count.
ALTER TABLE "execution"
  ADD COLUMN "wake_at" TIMESTAMPTZ(3),
  ADD COLUMN "work_ms" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "parent_execution_id" TEXT,
  ADD COLUMN "parent_step_id" TEXT;

-- Runs that wait, however many, are not gone through in search of runs that nobody has.
DROP INDEX "execution_open_idx";
CREATE INDEX "execution_open_idx" ON "execution"("started_at")
  WHERE "status" IN ('pending', 'running') AND "wake_at" IS NULL;
CREATE INDEX "execution_wake_idx" ON "execution"("wake_at") WHERE "status" = 'running' AND "wake_at" IS NOT NULL;
