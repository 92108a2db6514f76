-- How often each error was met by all flows on all days: what statistics without a span ask for.
INSERT INTO "error_rollup" ("workspace_id", "flow_id", "day", "hash", "shard", "runs", "message")
SELECT "workspace_id", '', '-infinity', "hash", 0, sum("runs"), min("message") FROM "error_rollup"
WHERE "flow_id" = '' AND "day" > '-infinity'
GROUP BY "workspace_id", "hash";
