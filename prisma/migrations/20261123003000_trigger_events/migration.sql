-- What an active flow's trigger listens for: changes of a table's rows, or failures of runs.
CREATE TABLE flow_listener (
  flow_id text PRIMARY KEY REFERENCES flow (id) ON DELETE CASCADE ON UPDATE CASCADE,
  workspace_id text NOT NULL,
  kind text NOT NULL,
  table_id text,
  changes text[] NOT NULL,
  flow_ids text[] NOT NULL
);
CREATE INDEX flow_listener_heard ON flow_listener (workspace_id, kind, table_id);

-- What such a flow is to be started for: written with what happened, deleted with the start of the run. One that cannot be
-- started is tried again later, a few times.
CREATE TABLE trigger_event (
  id bigserial PRIMARY KEY,
  workspace_id text NOT NULL,
  flow_id text NOT NULL,
  kind text NOT NULL,
  body text NOT NULL,
  execution_id text,
  depth integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX trigger_event_waiting ON trigger_event (workspace_id, id);
