-- The name under which assistants find a flow; null unless it is active and offered to them.
ALTER TABLE "flow" ADD COLUMN "tool_name" TEXT;
CREATE UNIQUE INDEX "flow_workspace_id_tool_name_key" ON "flow"("workspace_id", "tool_name");
