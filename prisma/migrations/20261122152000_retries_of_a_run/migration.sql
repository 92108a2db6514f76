-- A run's log names its retries: most runs are none, and have no place in the index.
CREATE INDEX "execution_original_idx" ON "execution"("original_execution_id") WHERE "original_execution_id" IS NOT NULL;
