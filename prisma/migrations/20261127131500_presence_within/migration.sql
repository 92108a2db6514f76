-- The loop whose body a tab has open, as JSON; null for the flow's own canvas.
ALTER TABLE "flow_presence" ADD COLUMN "within" TEXT;
