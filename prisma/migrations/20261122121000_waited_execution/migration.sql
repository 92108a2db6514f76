-- The execution that a step waits for, in a column of its own: a cast of `state` to json fails on text that JSON can
-- hold and PostgreSQL cannot, such as an escaped U+0000, and with it the statement for every run that it is about.
-- Generated, so that rows written by a process of the version before have it too; matching text never fails.
ALTER TABLE execution_wait ADD COLUMN waited_id text GENERATED ALWAYS AS
  (CASE WHEN kind = 'execution' THEN substring(state from '"executionId":"([0-9A-Za-z_]+)"') END) STORED;
