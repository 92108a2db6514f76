-- For how many days runs are kept, where their flow does not say; null: as the service does. And the time zone in which
-- times are shown; null: that of whoever looks.
ALTER TABLE "workspace" ADD COLUMN "retention_days" INTEGER, ADD COLUMN "timezone" TEXT;

-- Filters of the list of runs under a name: a person's own, in a workspace.
CREATE TABLE "saved_filter" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "filter" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "saved_filter_workspace_id_fkey" FOREIGN KEY ("workspace_id")
        REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "saved_filter_user_id_fkey" FOREIGN KEY ("user_id")
        REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "saved_filter_workspace_id_user_id_name_key" ON "saved_filter"("workspace_id", "user_id", "name");
