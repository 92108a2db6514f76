-- One order for all that is told of a run: its nodes' changes are counted by the sequence that counts log entries.
-- Rows that are there already keep 0, so that the table need not be written anew.
ALTER TABLE "node_execution" ADD COLUMN "sequence" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "node_execution" ALTER COLUMN "sequence" SET DEFAULT nextval('log_entry_id_seq');
