-- By default a table is vacuumed when a fifth of it has died: of a hundred million rows that is twenty million, and a
-- vacuum of hours. These are vacuumed at a fiftieth, often and briefly, so that what retention deletes is used again
-- before the table grows. Their large values lie in tables of their own, which have settings of their own.
ALTER TABLE "execution" SET (autovacuum_vacuum_threshold = 1000, toast.autovacuum_vacuum_scale_factor = 0.02,
    toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE "node_execution" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.02,
    toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE "log_entry" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "execution_wait" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "webhook_delivery" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "idempotency_key" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
-- Rows that are written over and over, until they are folded.
ALTER TABLE "run_count" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, fillfactor = 80);
ALTER TABLE "duration_count" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, fillfactor = 80);
ALTER TABLE "error_count" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, fillfactor = 80);
ALTER TABLE "quota_window" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200, fillfactor = 50);
