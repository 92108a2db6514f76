-- Deaths of processes count against a run only while none of its steps ends in between; under Inngest, step by step.
ALTER TABLE "execution" ADD COLUMN "lost_progress" BIGINT;
ALTER TABLE "node_execution" ADD COLUMN "losses" INTEGER NOT NULL DEFAULT 0;
