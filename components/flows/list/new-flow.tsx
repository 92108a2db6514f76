"use client";

import { useRouter } from "next/navigation";
import { useChange } from "#components/api/use-change.ts";
import { GuardedButton } from "#components/page/guarded-button.tsx";

/** Makes an empty flow and opens it. */
export function NewFlow() {
  const router = useRouter();
  const create = useChange({
    run: (api) => api.call("createFlow", { body: { name: "New flow", trigger: { type: "webhook" }, nodes: [] } }),
    stale: ["flows"],
    failed: "The flow was not made.",
    onDone: ({ id }) => router.push(`/flows/${id}`),
  });
  return (
    <GuardedButton
      scope="flows:write"
      loading={create.isPending || create.isSuccess}
      onClick={() => create.mutate(undefined)}
    >
      New flow
    </GuardedButton>
  );
}
