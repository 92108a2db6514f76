-- Flows that are deleted, while their runs are still to be cancelled or deleted: a process that dies in between leaves
-- the rest to upkeep.
CREATE TABLE flow_deletion (
  flow_id text PRIMARY KEY,
  workspace_id text NOT NULL,
  delete_executions boolean NOT NULL,
  look_at timestamptz(3) NOT NULL
);
CREATE INDEX flow_deletion_look_at_idx ON flow_deletion (look_at);

-- By this, executions are found that nobody waits for any more.
CREATE INDEX execution_wait_waited_id_idx ON execution_wait (waited_id) WHERE waited_id IS NOT NULL;
