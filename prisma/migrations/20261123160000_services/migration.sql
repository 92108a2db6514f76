-- Services that workspaces made of OpenAPI documents. `bytes` is what the operations take; `credentials` is JSON.
CREATE TABLE service (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name text NOT NULL,
  description text NOT NULL,
  base_url text,
  credentials text NOT NULL,
  operation_count integer NOT NULL,
  bytes integer NOT NULL,
  revision integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (workspace_id, name)
);

-- One operation each, as it is called; `search` is what a search looks at, folded.
CREATE TABLE service_operation (
  service_id text NOT NULL REFERENCES service (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  name text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  heading text NOT NULL,
  search text NOT NULL,
  definition text NOT NULL,
  PRIMARY KEY (service_id, id)
);
