-- Who has claimed a delivery, and how often it was claimed: attempts that were made are counted apart from that.
ALTER TABLE "webhook_delivery" ADD COLUMN "fence" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "lease_owner" TEXT;
