-- Files: their bytes are here while they are small, else where `place` says. `charged` counts towards the workspace's
-- limit: while a file comes in it grows ahead of the bytes.
CREATE TABLE file (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  content_type text NOT NULL,
  state text NOT NULL,
  place text NOT NULL,
  charged bigint NOT NULL,
  size bigint NOT NULL,
  sha256 text,
  content bytea,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  touched_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX file_listed ON file (workspace_id, name, id);
CREATE INDEX file_touched ON file (state, touched_at);

-- What a workspace's files take, and what those that are coming in may take.
CREATE TABLE file_usage (
  workspace_id text PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE ON UPDATE CASCADE,
  bytes bigint NOT NULL
);

-- Which runs, tests and rows name a file: written before they are, and swept once they are gone.
CREATE TABLE file_reference (
  kind text NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  file_id text COLLATE "C" NOT NULL REFERENCES file (id) ON DELETE CASCADE ON UPDATE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (kind, owner_id, file_id)
);
CREATE INDEX file_reference_of_file ON file_reference (file_id);
