-- The flows that a person has marked, for themselves alone.
CREATE TABLE "flow_favorite" (
    "user_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "flow_id" TEXT NOT NULL,
    CONSTRAINT "flow_favorite_pkey" PRIMARY KEY ("user_id", "workspace_id", "flow_id"),
    CONSTRAINT "flow_favorite_user_id_fkey" FOREIGN KEY ("user_id")
        REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "flow_favorite_flow_id_fkey" FOREIGN KEY ("flow_id")
        REFERENCES "flow"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "flow_favorite_flow_id_idx" ON "flow_favorite"("flow_id");
