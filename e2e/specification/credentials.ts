import type { Section } from "./section.ts";

export const credentials: Section = {
  types: [
    "secret, bearer, basic, header, query, hmac and custom",
    "credentials > a credential is stored > of type %s, and its data is never told",
  ],
  "write-only": [
    "`data` is never told again",
    "credentials > a credential is stored > of type %s, and its data is never told",
  ],
  name: [
    "`name` is a JavaScript identifier, unique in the workspace",
    "credentials > what cannot be a credential is refused, with the field > %s",
    "credentials > a name is unique in the workspace > also when many choose it at once",
  ],
  crud: [
    "Listed, read, changed and deleted",
    "credentials > the list has pages, the newest first",
    "credentials > a change > of nothing is allowed",
    "credentials > a credential that is not there > is not there for a second deletion",
  ],
  value: [
    "$credentials.<name> is the text of a secret, the object of any other",
    "credential-use > $credentials > is the text of a secret, and the object of any other",
  ],
  hosts: [
    "With allowedHosts, use for another host fails the node",
    "credential-use > a credential that is bound to hosts > goes to these and to no other: %s",
  ],
  encrypted: [
    "Stored encrypted, the key rotated by a command",
    "encryption-key > a credential outlives the key that sealed it, and opens with no other",
    "secrets-at-rest > a stored secret > does not open in another row",
  ],
};
