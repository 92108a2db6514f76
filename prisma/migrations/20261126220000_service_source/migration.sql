-- The address that a service's document was fetched from, from which it is imported again; null where it was given.
ALTER TABLE "service" ADD COLUMN "source_url" TEXT;
