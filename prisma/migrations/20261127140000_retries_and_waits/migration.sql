-- What became of a run's retries: those that completed first, the latest first. In place of an index on the run alone.
CREATE INDEX "execution_retry_idx" ON "execution"("original_execution_id", ("status" = 'completed') DESC, "started_at" DESC, "id" DESC)
    WHERE "original_execution_id" IS NOT NULL;
DROP INDEX "execution_original_idx";

-- The retries that completed in a span, to count the failed runs that they made good.
CREATE INDEX "execution_completed_retry_idx" ON "execution"("workspace_id", "started_at")
    WHERE "original_execution_id" IS NOT NULL AND "status" = 'completed';

-- What running runs wait for besides calls, by run: a run with a loop may have thousands of waits that are over.
CREATE INDEX "execution_wait_open_idx" ON "execution_wait"("execution_id", "kind", "until")
    WHERE "kind" IN ('time', 'event') AND "resumed_at" IS NULL;
