-- An ended run leaves the indexes of open ones and enters these, so that each of its two writes pays for half of them.
-- What lists and statistics ask of a row stands in the index: counting, sorting and paging read no rows.
DROP INDEX "execution_workspace_id_started_at_id_idx";
DROP INDEX "execution_workspace_id_flow_id_started_at_id_idx";
DROP INDEX "execution_workspace_id_status_started_at_id_idx";
CREATE INDEX "execution_open_workspace_idx" ON "execution"("workspace_id", "started_at", "id")
    WHERE "status" IN ('pending', 'running');
CREATE INDEX "execution_ended_idx" ON "execution"("workspace_id", "status", "started_at", "id")
    INCLUDE ("source", "completed_at", "duration_ms") WHERE "completed_at" IS NOT NULL;
CREATE INDEX "execution_ended_flow_idx" ON "execution"("workspace_id", "flow_id", "status", "started_at", "id")
    INCLUDE ("source", "completed_at", "duration_ms") WHERE "completed_at" IS NOT NULL;
CREATE INDEX "execution_completed_at_idx" ON "execution"("workspace_id", "completed_at", "id")
    WHERE "completed_at" IS NOT NULL;
CREATE INDEX "execution_duration_idx" ON "execution"("workspace_id", "duration_ms", "id")
    WHERE "completed_at" IS NOT NULL;
CREATE INDEX "execution_duration_flow_idx" ON "execution"("workspace_id", "flow_id", "duration_ms", "id")
    WHERE "completed_at" IS NOT NULL;

-- Counts of ended runs. "shard" says who wrote a row: 0 is what was folded, and from there the counts of a day stand a
-- second time for all flows of a workspace (without a "flow_id"), and a flow's for all days ("day" -infinity).
DROP TABLE "execution_rollup";
CREATE TABLE "execution_rollup" (
    "workspace_id" TEXT NOT NULL,
    "flow_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "source" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "completed" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "cancelled" INTEGER NOT NULL,
    "timeout" INTEGER NOT NULL,
    "completed_duration" BIGINT NOT NULL,
    "total_duration" BIGINT NOT NULL,
    "last_started_at" TIMESTAMPTZ(3),
    CONSTRAINT "execution_rollup_pkey" PRIMARY KEY ("workspace_id", "flow_id", "day", "source", "shard")
);
CREATE INDEX "execution_rollup_unfolded_idx" ON "execution_rollup"("workspace_id", "flow_id") WHERE "shard" <> 0;

-- How many completed runs took how long, in buckets of durations.
CREATE TABLE "duration_rollup" (
    "workspace_id" TEXT NOT NULL,
    "flow_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "bucket" INTEGER NOT NULL,
    "shard" INTEGER NOT NULL,
    "runs" INTEGER NOT NULL,
    CONSTRAINT "duration_rollup_pkey" PRIMARY KEY ("workspace_id", "flow_id", "day", "bucket", "shard")
);
CREATE INDEX "duration_rollup_unfolded_idx" ON "duration_rollup"("workspace_id", "flow_id") WHERE "shard" <> 0;

-- How many runs ended with which error; "hash" is that of its message.
CREATE TABLE "error_rollup" (
    "workspace_id" TEXT NOT NULL,
    "flow_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "hash" UUID NOT NULL,
    "shard" INTEGER NOT NULL,
    "runs" INTEGER NOT NULL,
    "message" TEXT NOT NULL,
    CONSTRAINT "error_rollup_pkey" PRIMARY KEY ("workspace_id", "flow_id", "day", "hash", "shard")
);
CREATE INDEX "error_rollup_unfolded_idx" ON "error_rollup"("workspace_id", "flow_id") WHERE "shard" <> 0;

-- What is stored already is counted from the rows, to be folded with the next counts.
INSERT INTO "execution_rollup" ("workspace_id", "flow_id", "day", "source", "shard", "completed", "failed", "cancelled",
    "timeout", "completed_duration", "total_duration", "last_started_at")
SELECT "workspace_id", "flow_id", ("started_at" AT TIME ZONE 'UTC')::date, "source", -1,
    count(*) FILTER (WHERE "status" = 'completed'), count(*) FILTER (WHERE "status" = 'failed'),
    count(*) FILTER (WHERE "status" = 'cancelled'), count(*) FILTER (WHERE "status" = 'timeout'),
    coalesce(sum("duration_ms") FILTER (WHERE "status" = 'completed'), 0), coalesce(sum("duration_ms"), 0),
    max("started_at")
FROM "execution" WHERE "completed_at" IS NOT NULL GROUP BY 1, 2, 3, 4;

INSERT INTO "duration_rollup" ("workspace_id", "flow_id", "day", "bucket", "shard", "runs")
SELECT "workspace_id", "flow_id", ("started_at" AT TIME ZONE 'UTC')::date,
    width_bucket("duration_ms", '{1,2,3,4,5,6,7,8,10,12,14,16,20,23,27,32,39,46,54,64,77,91,108,128,153,182,216,256,305,363,431,512,609,725,862,1024,1218,1449,1723,2048,2436,2897,3445,4096,4871,5793,6889,8192,9742,11586,13778,16384,19484,23171,27555,32768,38968,46341,55109,65536,77936,92682,110218,131072,155872,185364,220436,262144,311744,370728,440872,524288,623488,741456,881744,1048576,1246975,1482911,1763488,2097152,2493949,2965821,3526976,4194304,4987897,5931642,7053951,8388608,9975793,11863284,14107901,16777216,19951585,23726567,28215802,33554432,39903170,47453133,56431604,67108864,79806339,94906266,112863207,134217728,159612678,189812532,225726413,268435456,319225355,379625063,451452826,536870912,638450709,759250125,902905651,1073741824,1276901417,1518500250,1805811302}'::int[]),
    -1, count(*)
FROM "execution" WHERE "status" = 'completed' GROUP BY 1, 2, 3, 4;

INSERT INTO "error_rollup" ("workspace_id", "flow_id", "day", "hash", "shard", "runs", "message")
SELECT "workspace_id", "flow_id", ("started_at" AT TIME ZONE 'UTC')::date, md5("error_message")::uuid, -1, count(*),
    "error_message"
FROM "execution" WHERE "completed_at" IS NOT NULL AND "error_message" IS NOT NULL
GROUP BY 1, 2, 3, 4, "error_message";

-- Reading from an index alone takes pages that were vacuumed: not only after a fifth of a large table has changed.
ALTER TABLE "execution" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02);
