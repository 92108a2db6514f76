-- What a credential of type oauth2 was given by its provider. Whoever renews holds the lease, for a rotating refresh token
-- can be spent once; `revision` moves with every write of the tokens.
CREATE TABLE oauth_connection (
  credential_id text PRIMARY KEY REFERENCES credential (id) ON DELETE CASCADE ON UPDATE CASCADE,
  workspace_id text NOT NULL,
  grant_type text NOT NULL,
  status text NOT NULL,
  scopes text[] NOT NULL,
  ciphertext bytea NOT NULL,
  key_version integer NOT NULL,
  ends_at timestamptz(3),
  renew_at timestamptz(3),
  problem text,
  refused_at timestamptz(3),
  rest_until timestamptz(3),
  lease text,
  lease_until timestamptz(3),
  revision integer NOT NULL DEFAULT 0
);
CREATE INDEX oauth_connection_workspace_id_refused_at_idx ON oauth_connection (workspace_id, refused_at);

-- A person's way to a provider and back: the hash of the state, the session that it is bound to, and when it ends.
CREATE TABLE oauth_state (
  hash text PRIMARY KEY,
  credential_id text NOT NULL REFERENCES credential (id) ON DELETE CASCADE ON UPDATE CASCADE,
  workspace_id text NOT NULL,
  session_id text NOT NULL REFERENCES session (id) ON DELETE CASCADE ON UPDATE CASCADE,
  expires_at timestamptz(3) NOT NULL,
  UNIQUE (session_id, credential_id)
);
CREATE INDEX oauth_state_credential_id_idx ON oauth_state (credential_id);
CREATE INDEX oauth_state_expires_at_idx ON oauth_state (expires_at);
