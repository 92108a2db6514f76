-- Which Idempotency-Keys a retry sends is decided when it is made: the runs before it may be deleted while it runs.
ALTER TABLE execution ADD COLUMN repeated_keys TEXT;
