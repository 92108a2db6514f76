-- Tables that flows share: their columns as JSON, their rows, and an index entry for each value of an indexed column.
CREATE TABLE data_table (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  columns text NOT NULL,
  next_column integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX data_table_name ON data_table (workspace_id, name);
CREATE INDEX data_table_listed ON data_table (workspace_id, created_at, id);

CREATE TABLE table_row (
  table_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  cells jsonb NOT NULL,
  bytes integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (table_id, id)
);

-- Sorts as the values do: "0" and the value, or "1" for none, so that empty values come last.
CREATE TABLE table_key (
  table_id text COLLATE "C" NOT NULL,
  column_id integer NOT NULL,
  key text COLLATE "C" NOT NULL,
  row_id text COLLATE "C" NOT NULL,
  is_unique boolean NOT NULL,
  PRIMARY KEY (table_id, column_id, key, row_id)
);
CREATE UNIQUE INDEX table_key_unique ON table_key (table_id, column_id, key) WHERE is_unique;

-- Rows and bytes of a table, in parts, so that writers of different rows rarely wait for each other.
CREATE TABLE table_size (
  table_id text COLLATE "C" NOT NULL,
  shard integer NOT NULL,
  rows bigint NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (table_id, shard)
);

-- What is left to delete of a deleted table (column 0) or column.
CREATE TABLE table_removal (
  table_id text COLLATE "C" NOT NULL,
  column_id integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (table_id, column_id)
);

-- What a step of a run did in this database, written in the transaction that did it.
CREATE TABLE step_effect (
  execution_id text NOT NULL,
  step_id text NOT NULL,
  result text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (execution_id, step_id)
);
CREATE INDEX step_effect_created ON step_effect (created_at);
