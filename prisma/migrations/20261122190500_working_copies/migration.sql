-- A flow's working copy: without a definition once it was published or discarded.
CREATE TABLE flow_draft (
  flow_id text PRIMARY KEY REFERENCES flow (id) ON DELETE CASCADE ON UPDATE CASCADE,
  definition text,
  base text NOT NULL,
  based_on integer NOT NULL,
  revision integer NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  updated_by text
);

ALTER TABLE flow_version ADD COLUMN summary text, ADD COLUMN based_on integer;
