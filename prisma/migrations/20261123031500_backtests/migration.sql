-- Flows compared with runs that there were, in the background: whoever holds the lease goes on.
CREATE TABLE "backtest" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspace_id" TEXT NOT NULL,
    "flow_id" TEXT NOT NULL,
    "of" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "total" INTEGER NOT NULL,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "losses" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    CONSTRAINT "backtest_flow_id_fkey" FOREIGN KEY ("flow_id")
        REFERENCES "flow"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "backtest_flow_id_created_at_id_idx" ON "backtest"("flow_id", "created_at", "id");
CREATE INDEX "backtest_running_idx" ON "backtest"("lease_until") WHERE "status" = 'running';

CREATE TABLE "backtest_run" (
    "backtest_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "execution_id" TEXT NOT NULL,
    "verdict" TEXT,
    "result" TEXT,
    CONSTRAINT "backtest_run_pkey" PRIMARY KEY ("backtest_id", "position"),
    CONSTRAINT "backtest_run_backtest_id_fkey" FOREIGN KEY ("backtest_id")
        REFERENCES "backtest"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "backtest_run_execution_id_idx" ON "backtest_run"("execution_id");
