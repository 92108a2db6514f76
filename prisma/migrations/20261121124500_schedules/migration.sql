-- When each active flow with a schedule runs next. The row goes with its flow.
CREATE TABLE "flow_schedule" (
    "flow_id" TEXT NOT NULL,
    "cron" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "misfire" TEXT NOT NULL,
    -- Null: the schedule never comes again.
    "next_run_at" TIMESTAMPTZ(3),
    CONSTRAINT "flow_schedule_pkey" PRIMARY KEY ("flow_id"),
    CONSTRAINT "flow_schedule_flow_id_fkey" FOREIGN KEY ("flow_id") REFERENCES "flow"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "flow_schedule_next_run_at_idx" ON "flow_schedule"("next_run_at");
