-- The member or key that answered a waiting node; null for whoever has its link.
ALTER TABLE "execution_wait" ADD COLUMN "answered_by" TEXT;

-- What may still be answered, by run: a run with a loop may have thousands of waits that are over.
CREATE INDEX "execution_wait_open_call_idx" ON "execution_wait"("execution_id")
    WHERE "kind" = 'call' AND "resumed_at" IS NULL;
