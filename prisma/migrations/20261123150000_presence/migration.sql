-- Who has a flow open: a lease per tab, which its heartbeats renew. Worth nothing after a crash, so it is not logged.
CREATE TABLE flow_presence (
  user_id text NOT NULL REFERENCES "user" (id) ON DELETE CASCADE ON UPDATE CASCADE,
  tab text COLLATE "C" NOT NULL,
  flow_id text NOT NULL REFERENCES flow (id) ON DELETE CASCADE ON UPDATE CASCADE,
  selection text NOT NULL,
  entered_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, tab)
);
CREATE INDEX flow_presence_flow_id_idx ON flow_presence (flow_id);
ALTER TABLE flow_presence SET UNLOGGED;
