import { roleScopes, roles, type Scope, scopes } from "#lib/access.ts";
import type { Access } from "./operation.ts";
import styles from "./reference.module.css";

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);

/** Who may call it: keys by their scopes, members by their roles. */
export function OperationAccess({ access }: { readonly access: Access }) {
  if (access.isOpen) return <p className={styles.access}>Needs no key.</p>;
  const needed = access.scopes.filter(isScope);
  const allowed = roles.filter((role) => needed.every((scope) => roleScopes[role].includes(scope)));
  const people = allowed.length === roles.length ? "every member" : allowed.join(" or ");
  return (
    <dl className={styles.access}>
      <dt>Keys</dt>
      <dd>{access.takesKeys ? <ForKeys scopes={needed} /> : "refused: for people who are signed in"}</dd>
      <dt>People</dt>
      <dd>{people}</dd>
    </dl>
  );
}

function ForKeys({ scopes }: { readonly scopes: readonly Scope[] }) {
  if (scopes.length === 0) return "any";
  return (
    <>
      with{" "}
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
    </>
  );
}
