-- Tests of flows: what starts them, what came back from outside, and what is expected, as JSON.
CREATE TABLE "flow_test" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "flow_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "last_result" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "flow_test_flow_id_fkey" FOREIGN KEY ("flow_id")
        REFERENCES "flow"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "flow_test_flow_id_created_at_id_idx" ON "flow_test"("flow_id", "created_at", "id");
