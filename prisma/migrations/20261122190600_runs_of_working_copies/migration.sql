-- Tells which kept working copies no run shows any more.
CREATE INDEX execution_draft_idx ON execution (flow_id, flow_version) WHERE source = 'draft';
