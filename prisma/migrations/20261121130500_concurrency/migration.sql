-- Runs of flows that limit how many of them run at once: which share a limit, and whether the run waits for its turn.
ALTER TABLE "execution"
  ADD COLUMN "concurrency_key" TEXT,
  ADD COLUMN "concurrency_limit" INTEGER,
  ADD COLUMN "concurrency_policy" TEXT,
  ADD COLUMN "held" BOOLEAN NOT NULL DEFAULT false;

-- Only runs that share a limit are in it: who waits by key, and how many of a key are under way.
CREATE INDEX "execution_limited_idx" ON "execution"("held", "concurrency_key", "started_at", "id")
  WHERE "concurrency_key" IS NOT NULL AND "status" IN ('pending', 'running');

-- What workers look for, apart: runs that nobody has, by flow, so that none is gone through in search of another's; and
-- runs that somebody has, whose lease may have ended.
DROP INDEX "execution_open_idx";
CREATE INDEX "execution_pending_idx" ON "execution"("flow_id", "started_at", "id")
  WHERE "status" = 'pending' AND NOT "held";
CREATE INDEX "execution_leased_idx" ON "execution"("started_at") WHERE "status" = 'running' AND "wake_at" IS NULL;
