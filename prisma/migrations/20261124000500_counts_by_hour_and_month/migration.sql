-- Counts of ended runs by hour, day and month, so that any span of time is a few rows. "shard" says what a row is:
-- above 0 it counts an hour and is not folded yet; folded rows count an hour (0), a day (-1), a month (-2) or all
-- time (-3, "at" is -infinity). Without a "flow_id" a folded row counts all flows of the workspace.
CREATE TABLE "run_count" (
    "workspace_id" TEXT NOT NULL,
    "flow_id" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(0) NOT NULL,
    "source" TEXT NOT NULL,
    "completed" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "cancelled" INTEGER NOT NULL,
    "timeout" INTEGER NOT NULL,
    "completed_duration" BIGINT NOT NULL,
    "total_duration" BIGINT NOT NULL,
    "last_started_at" TIMESTAMPTZ(3),
    CONSTRAINT "run_count_pkey" PRIMARY KEY ("workspace_id", "flow_id", "shard", "at", "source")
);

CREATE TABLE "duration_count" (
    "workspace_id" TEXT NOT NULL,
    "flow_id" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(0) NOT NULL,
    "bucket" INTEGER NOT NULL,
    "runs" INTEGER NOT NULL,
    CONSTRAINT "duration_count_pkey" PRIMARY KEY ("workspace_id", "flow_id", "shard", "at", "bucket")
);

CREATE TABLE "error_count" (
    "workspace_id" TEXT NOT NULL,
    "flow_id" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(0) NOT NULL,
    "hash" UUID NOT NULL,
    "runs" INTEGER NOT NULL,
    "message" TEXT NOT NULL,
    CONSTRAINT "error_count_pkey" PRIMARY KEY ("workspace_id", "flow_id", "shard", "at", "hash")
);

-- No server folds meanwhile. One of the version before may end runs: what it counts stays where it counts it, and its
-- days are counted anew (lib/executions/statistics/rebuilding/older-servers.ts).
SELECT pg_advisory_xact_lock(72707371);

WITH hours AS MATERIALIZED (
    SELECT "workspace_id", "flow_id", date_bin('1 hour', "started_at", '2000-01-01T00:00:00Z') AS "hour", "source",
        count(*) FILTER (WHERE "status" = 'completed') AS "completed", count(*) FILTER (WHERE "status" = 'failed') AS "failed",
        count(*) FILTER (WHERE "status" = 'cancelled') AS "cancelled", count(*) FILTER (WHERE "status" = 'timeout') AS "timeout",
        coalesce(sum("duration_ms") FILTER (WHERE "status" = 'completed'), 0) AS "completed_duration",
        coalesce(sum("duration_ms"), 0) AS "total_duration", max("started_at") AS "last_started_at"
    FROM "execution" WHERE "completed_at" IS NOT NULL GROUP BY 1, 2, 3, 4),
units AS (
    SELECT *, date_bin('1 day', "hour", '2000-01-01T00:00:00Z') AS "day", date_trunc('month', "hour", 'UTC') AS "month",
        CASE WHEN "source" IN ('draft', 'draft-sub-flow') THEN "source" ELSE '' END AS "kind"
    FROM hours)
INSERT INTO "run_count"
SELECT "workspace_id", coalesce("flow_id", ''),
    CASE WHEN "hour" IS NOT NULL THEN 0 WHEN "day" IS NOT NULL THEN -1 WHEN "month" IS NOT NULL THEN -2 ELSE -3 END,
    coalesce("hour", "day", "month", '-infinity'), coalesce("source", "kind"),
    sum("completed"), sum("failed"), sum("cancelled"), sum("timeout"), sum("completed_duration"), sum("total_duration"),
    max("last_started_at")
FROM units
GROUP BY GROUPING SETS (
    ("workspace_id", "flow_id", "hour", "source"), ("workspace_id", "flow_id", "day", "source"),
    ("workspace_id", "flow_id", "month", "source"), ("workspace_id", "hour", "source"), ("workspace_id", "day", "source"),
    ("workspace_id", "month", "source"), ("workspace_id", "flow_id", "kind"));

-- When a flow last ran is known even if no run of it is stored any more.
INSERT INTO "run_count" AS r
SELECT "workspace_id", "flow_id", -3, '-infinity',
    CASE WHEN "source" IN ('draft', 'draft-sub-flow') THEN "source" ELSE '' END, 0, 0, 0, 0, 0, 0, max("last_started_at")
FROM "execution_rollup" WHERE "flow_id" <> '' AND "last_started_at" IS NOT NULL GROUP BY 1, 2, 5
ON CONFLICT ("workspace_id", "flow_id", "shard", "at", "source") DO UPDATE
SET "last_started_at" = greatest(r."last_started_at", excluded."last_started_at");

WITH hours AS MATERIALIZED (
    SELECT "workspace_id", "flow_id", date_bin('1 hour', "started_at", '2000-01-01T00:00:00Z') AS "hour",
        width_bucket("duration_ms", '{1,2,3,4,5,6,7,8,10,12,14,16,20,23,27,32,39,46,54,64,77,91,108,128,153,182,216,256,305,363,431,512,609,725,862,1024,1218,1449,1723,2048,2436,2897,3445,4096,4871,5793,6889,8192,9742,11586,13778,16384,19484,23171,27555,32768,38968,46341,55109,65536,77936,92682,110218,131072,155872,185364,220436,262144,311744,370728,440872,524288,623488,741456,881744,1048576,1246975,1482911,1763488,2097152,2493949,2965821,3526976,4194304,4987897,5931642,7053951,8388608,9975793,11863284,14107901,16777216,19951585,23726567,28215802,33554432,39903170,47453133,56431604,67108864,79806339,94906266,112863207,134217728,159612678,189812532,225726413,268435456,319225355,379625063,451452826,536870912,638450709,759250125,902905651,1073741824,1276901417,1518500250,1805811302}'::int[]) AS "bucket",
        count(*) AS "runs"
    FROM "execution" WHERE "completed_at" IS NOT NULL AND "status" = 'completed' AND "source" NOT IN ('draft', 'draft-sub-flow')
    GROUP BY 1, 2, 3, 4),
units AS (
    SELECT *, date_bin('1 day', "hour", '2000-01-01T00:00:00Z') AS "day", date_trunc('month', "hour", 'UTC') AS "month"
    FROM hours)
INSERT INTO "duration_count"
SELECT "workspace_id", coalesce("flow_id", ''),
    CASE WHEN "hour" IS NOT NULL THEN 0 WHEN "day" IS NOT NULL THEN -1 ELSE -2 END,
    coalesce("hour", "day", "month"), "bucket", sum("runs")
FROM units
GROUP BY GROUPING SETS (
    ("workspace_id", "flow_id", "hour", "bucket"), ("workspace_id", "flow_id", "day", "bucket"),
    ("workspace_id", "flow_id", "month", "bucket"), ("workspace_id", "hour", "bucket"), ("workspace_id", "day", "bucket"),
    ("workspace_id", "month", "bucket"));

WITH hours AS MATERIALIZED (
    SELECT "workspace_id", "flow_id", date_bin('1 hour', "started_at", '2000-01-01T00:00:00Z') AS "hour",
        md5("error_message")::uuid AS "hash", count(*) AS "runs", min("error_message") AS "message"
    FROM "execution" WHERE "completed_at" IS NOT NULL AND "error_message" IS NOT NULL
        AND "source" NOT IN ('draft', 'draft-sub-flow')
    GROUP BY 1, 2, 3, 4),
units AS (
    SELECT *, date_bin('1 day', "hour", '2000-01-01T00:00:00Z') AS "day", date_trunc('month', "hour", 'UTC') AS "month"
    FROM hours)
INSERT INTO "error_count"
SELECT "workspace_id", coalesce("flow_id", ''),
    CASE WHEN "hour" IS NOT NULL THEN 0 WHEN "day" IS NOT NULL THEN -1 WHEN "month" IS NOT NULL THEN -2 ELSE -3 END,
    coalesce("hour", "day", "month", '-infinity'), "hash", sum("runs"), min("message")
FROM units
GROUP BY GROUPING SETS (
    ("workspace_id", "flow_id", "hour", "hash"), ("workspace_id", "flow_id", "day", "hash"),
    ("workspace_id", "flow_id", "month", "hash"), ("workspace_id", "hour", "hash"), ("workspace_id", "day", "hash"),
    ("workspace_id", "month", "hash"), ("workspace_id", "hash"));

-- After the rows, which is faster.
CREATE INDEX "run_count_unfolded_idx" ON "run_count"("workspace_id", "flow_id") WHERE "shard" > 0;
CREATE INDEX "duration_count_unfolded_idx" ON "duration_count"("workspace_id", "flow_id") WHERE "shard" > 0;
CREATE INDEX "error_count_unfolded_idx" ON "error_count"("workspace_id", "flow_id") WHERE "shard" > 0;
-- What is asked of each flow, over a span.
CREATE INDEX "duration_count_flows_idx" ON "duration_count"("workspace_id", "shard", "at")
    WHERE "shard" <= 0 AND "flow_id" <> '';
CREATE INDEX "error_count_flows_idx" ON "error_count"("workspace_id", "shard", "at")
    WHERE "shard" <= 0 AND "flow_id" <> '';

-- What is left, and what a server of the version before adds, names days to count anew.
DELETE FROM "execution_rollup" WHERE "shard" = 0;
DELETE FROM "duration_rollup" WHERE "shard" = 0;
DELETE FROM "error_rollup" WHERE "shard" = 0;
