-- When a version first went live. Which earlier ones did is not known of flows that exist already.
ALTER TABLE "flow_version" ADD COLUMN "live_at" TIMESTAMPTZ(3);

UPDATE "flow_version" v SET "live_at" = f."updated_at"
FROM "flow" f
WHERE f."id" = v."flow_id" AND f."version" = v."version" AND f."status" = 'active';
