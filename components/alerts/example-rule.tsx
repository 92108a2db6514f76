"use client";

import { useChange } from "#components/api/use-change.ts";
import { GuardedButton } from "#components/page/guarded-button.tsx";

const example = { name: "Three failures in a row", kind: "failures_in_row", threshold: 3 } as const;

/** Makes the rule that most begin with, by one click. */
export function ExampleRule() {
  const make = useChange({
    run: (api) => api.call("createAlertRule", { body: example }),
    stale: ["alerts"],
    done: "From now on, three failures in a row of any flow are told here.",
    failed: "The rule was not made.",
  });
  return (
    <GuardedButton
      scope="webhooks:write"
      variant="default"
      loading={make.isPending}
      onClick={() => make.mutate(undefined)}
    >
      Watch for three failures in a row
    </GuardedButton>
  );
}
