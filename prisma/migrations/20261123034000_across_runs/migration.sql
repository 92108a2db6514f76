-- Events that runs wait for, by key. `told` once every run that waited for its key has been woken.
CREATE TABLE event (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE ON UPDATE CASCADE,
  key text COLLATE "C" NOT NULL,
  data text NOT NULL,
  told boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX event_by_key ON event (workspace_id, key, id);
CREATE INDEX event_by_age ON event (created_at);
CREATE INDEX event_untold ON event (id) WHERE NOT told;

-- The steps that wait for a key. Deleted when one takes an event, or is found to wait no more.
CREATE TABLE event_wait (
  execution_id text NOT NULL,
  step_id text NOT NULL,
  workspace_id text NOT NULL,
  key text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (execution_id, step_id)
);
CREATE INDEX event_wait_by_key ON event_wait (workspace_id, key, execution_id);

-- Which runs an event has woken: each at most once.
CREATE TABLE event_taken (
  event_id text COLLATE "C" NOT NULL REFERENCES event (id) ON DELETE CASCADE ON UPDATE CASCADE,
  execution_id text NOT NULL,
  PRIMARY KEY (event_id, execution_id)
);

-- Keys that nodes have met, as hashes. `scope`: the flow and the node.
CREATE TABLE met_key (
  scope text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  execution_id text NOT NULL,
  until timestamptz(3) NOT NULL,
  PRIMARY KEY (scope, hash)
);
CREATE INDEX met_key_until ON met_key (until);

-- Limits that runs share. `passed`: how many turns were taken; `due_ms`: when the last of those that queue may try;
-- `until_ms`: when neither matters any more. Times are epoch milliseconds by the database's clock.
CREATE TABLE rate_limit (
  id bigserial PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE ON UPDATE CASCADE,
  key text COLLATE "C" NOT NULL,
  passed bigint NOT NULL,
  due_ms bigint NOT NULL,
  until_ms bigint NOT NULL
);
CREATE UNIQUE INDEX rate_limit_key ON rate_limit (workspace_id, key);
CREATE INDEX rate_limit_until ON rate_limit (until_ms);

-- The latest turns under a limit, as many as it allows.
CREATE TABLE rate_turn (
  limit_id bigint NOT NULL REFERENCES rate_limit (id) ON DELETE CASCADE ON UPDATE CASCADE,
  number bigint NOT NULL,
  at_ms bigint NOT NULL,
  PRIMARY KEY (limit_id, number)
);
