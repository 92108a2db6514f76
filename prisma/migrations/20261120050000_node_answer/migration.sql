-- The form of the HTTP answer that a node asked for (status and headers, as JSON text): without it a run that another
-- process goes on with would forget how its caller is to be answered.
ALTER TABLE "node_execution" ADD COLUMN "answer" TEXT;
