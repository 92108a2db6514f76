-- The shapes that outputs of a version have had, without values.
CREATE TABLE "flow_types" (
    "flow_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "runs" INTEGER NOT NULL,
    "shapes" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "flow_types_pkey" PRIMARY KEY ("flow_id", "version"),
    CONSTRAINT "flow_types_flow_id_fkey" FOREIGN KEY ("flow_id")
        REFERENCES "flow"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
