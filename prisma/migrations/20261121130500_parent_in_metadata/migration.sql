-- A run that is another's sub-flow says so in its metadata, which is written with it in any case.
ALTER TABLE "execution" DROP COLUMN "parent_execution_id", DROP COLUMN "parent_step_id";
