-- What people call a version of a flow.
ALTER TABLE "flow_version" ADD COLUMN "name" TEXT;
