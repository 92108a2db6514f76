-- The large body of an event, once for all its deliveries: 200 subscriptions to an output of 5 MB were a gigabyte. No
-- foreign key: a body is written by the statement that writes its deliveries, and only the trigger below deletes it.
CREATE TABLE "webhook_body" (
    "id" UUID NOT NULL,
    "body" TEXT NOT NULL,
    CONSTRAINT "webhook_body_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "webhook_body" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
    toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
-- As for other large texts: see the migration fast_compression.
DO $$
BEGIN
    ALTER TABLE "webhook_body" ALTER COLUMN "body" SET COMPRESSION lz4;
EXCEPTION WHEN OTHERS THEN
    RAISE NOTICE 'This PostgreSQL has no lz4: %', SQLERRM;
END $$;

-- Null: the delivery has a body of its own, as those of older servers have; else its own is empty.
ALTER TABLE "webhook_delivery" ADD COLUMN "body_id" UUID;
CREATE INDEX "webhook_delivery_body_idx" ON "webhook_delivery"("body_id") WHERE "body_id" IS NOT NULL;

-- Whoever deletes the last delivery of an event deletes its body, and a server of the version before does so too. The
-- locks make deletions at the same moment take turns, so that the later one sees what the earlier one has deleted.
CREATE FUNCTION "delete_bodies_of_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE ids UUID[];
BEGIN
    SELECT array_agg(DISTINCT "body_id") INTO ids FROM "deleted" WHERE "body_id" IS NOT NULL;
    IF ids IS NULL THEN RETURN NULL; END IF;
    PERFORM FROM "webhook_body" b WHERE b."id" = ANY(ids) ORDER BY b."id" FOR UPDATE;
    DELETE FROM "webhook_body" b WHERE b."id" = ANY(ids)
        AND NOT EXISTS (SELECT FROM "webhook_delivery" d WHERE d."body_id" = b."id");
    RETURN NULL;
END $$;
CREATE TRIGGER "webhook_delivery_deleted" AFTER DELETE ON "webhook_delivery" REFERENCING OLD TABLE AS "deleted"
    FOR EACH STATEMENT EXECUTE FUNCTION "delete_bodies_of_deleted"();

-- A server of the version before knows only the delivery's own body: it gets a copy with its claim.
CREATE FUNCTION "copy_shared_body"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."body" := (SELECT b."body" FROM "webhook_body" b WHERE b."id" = NEW."body_id");
    RETURN NEW;
END $$;
CREATE TRIGGER "webhook_delivery_of_older_server" BEFORE UPDATE OF "fence" ON "webhook_delivery" FOR EACH ROW
    WHEN (NEW."body_id" IS NOT NULL AND NEW."body" = ''
        AND current_setting('millrace.reads_shared_bodies', true) IS DISTINCT FROM 'on')
    EXECUTE FUNCTION "copy_shared_body"();
