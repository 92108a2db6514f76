import type { Section } from "./section.ts";

export const apiKeys: Section = {
  create: [
    "201 with the key, this once; all scopes unless told otherwise",
    "api-keys > a key is made > with all scopes unless told otherwise, and told once",
  ],
  scopes: ["`scopes` limits a key", "api-keys > a key is made > with the scopes that it was given, each once"],
  expiry: ["`expiresAt` ends it", "api-keys > a key is made > that works until it expires"],
  list: ["The list goes without keys", "api-keys > the list has pages, the newest first"],
  rotate: [
    "A rotation gives a new key; the old one works until the grace ends",
    "api-keys > a rotation > gives a new secret, and the old one ends at once",
    "api-keys > a rotation > leaves the old one working until the grace ends",
  ],
  revoke: [
    "Revoked: 204, and refused from then on",
    "api-keys > a revoked key > is refused from the next request on, as is its old secret, and listed no more",
  ],
  form: [
    "A key has a recognizable prefix and a checksum",
    "lib/auth/api-key-format.test.ts > a new key > is recognizable, long enough, and possible",
    "api-keys > a key with one character changed is refused",
  ],
  stored: [
    "Stored as a hash; the last use is kept",
    "secrets-at-rest > keys are stored as hashes only, and their last use is kept",
  ],
  "no-more-than-own": [
    "A key gives no scope that it has not",
    "api-keys > a key cannot give what it does not have > to a new key",
  ],
};
