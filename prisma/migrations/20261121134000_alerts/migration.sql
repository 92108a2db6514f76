-- Rules that watch runs. Who evaluates a rule holds its row meanwhile: each cause makes one alert, whatever the number of
-- processes.
CREATE TABLE "alert_rule" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "flow_id" TEXT,
    "threshold" INTEGER NOT NULL,
    "window_minutes" INTEGER NOT NULL,
    "quiet_minutes" INTEGER NOT NULL,
    "emails" TEXT[],
    "active" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "next_check_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "last_alert_at" TIMESTAMPTZ(3),
    "last_cause_at" TIMESTAMPTZ(3),
    CONSTRAINT "alert_rule_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "alert_rule_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "alert_rule_workspace_id_created_at_id_idx" ON "alert_rule"("workspace_id", "created_at", "id");
CREATE INDEX "alert_rule_next_check_at_idx" ON "alert_rule"("next_check_at");

CREATE TABLE "alert" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "rule_id" TEXT NOT NULL,
    "rule_name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "flow_id" TEXT,
    "flow_name" TEXT,
    "execution_id" TEXT,
    "message" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    -- To whom a mail is still to be sent.
    "unmailed" TEXT[],
    CONSTRAINT "alert_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "alert_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "alert_workspace_id_at_id_idx" ON "alert"("workspace_id", "at", "id");
CREATE INDEX "alert_rule_id_idx" ON "alert"("rule_id");
CREATE INDEX "alert_unmailed_idx" ON "alert"("at") WHERE cardinality("unmailed") > 0;
