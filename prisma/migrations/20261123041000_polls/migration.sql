-- Where an active flow's trigger looks for items from time to time. Whoever claims a look raises the fence; what the look
-- writes names it, and the step that it is at.
CREATE TABLE flow_poll (
  flow_id text PRIMARY KEY REFERENCES flow (id) ON DELETE CASCADE ON UPDATE CASCADE,
  workspace_id text NOT NULL,
  config text NOT NULL,
  source text NOT NULL,
  is_begun boolean NOT NULL,
  next_at timestamptz(3) NOT NULL,
  fence integer NOT NULL DEFAULT 0,
  step integer NOT NULL DEFAULT 0,
  lease_until timestamptz(3),
  polled_at timestamptz(3),
  failures integer NOT NULL DEFAULT 0,
  error text,
  items integer,
  validators text
);
CREATE INDEX flow_poll_next_at_idx ON flow_poll (next_at);

-- The items that a flow has seen, by a hash of their key; with one of their content where changes count.
CREATE TABLE polled_item (
  flow_id text NOT NULL REFERENCES flow_poll (flow_id) ON DELETE CASCADE ON UPDATE CASCADE,
  key text COLLATE "C" NOT NULL,
  content text,
  seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (flow_id, key)
);
