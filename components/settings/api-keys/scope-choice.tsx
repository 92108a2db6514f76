"use client";

import { Checkbox } from "@mantine/core";
import type { Scope } from "#lib/access.ts";
import { scopesBySubject } from "./key-scopes.ts";
import styles from "./scope-choice.module.css";

interface ScopeChoiceProps {
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
  readonly problem: string | undefined;
}

/** What a key may do, subject by subject. */
export function ScopeChoice({ chosen, onChange, problem }: ScopeChoiceProps) {
  const toggle = (scope: Scope) =>
    onChange(chosen.includes(scope) ? chosen.filter((other) => other !== scope) : [...chosen, scope]);
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>Scopes</legend>
      {scopesBySubject.map(([subject, scopes]) => (
        <div key={subject} className={styles.subject}>
          <span className={styles.name}>{subject}</span>
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              size="xs"
              label={scope.split(":")[1]}
              aria-label={scope}
              checked={chosen.includes(scope)}
              onChange={() => toggle(scope)}
            />
          ))}
        </div>
      ))}
      {problem && <p className={styles.problem}>{problem}</p>}
    </fieldset>
  );
}
