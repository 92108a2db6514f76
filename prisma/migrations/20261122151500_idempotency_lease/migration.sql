-- Who answers the first request of an Idempotency-Key, and until when that holds without a heartbeat: a process that dies
-- leaves its keys free. `made` is what the request has done, as JSON, written in the transaction that does it.
ALTER TABLE idempotency_key
  ADD COLUMN owner text,
  ADD COLUMN lease_until timestamptz(3),
  ADD COLUMN made text;
