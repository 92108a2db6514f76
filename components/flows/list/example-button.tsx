"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { z } from "zod";
import { useApi } from "#components/api/use-api.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import type { newFlow } from "#lib/contract/flows/flows.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import example from "../../../examples/templates/basics/check-and-answer.json";
import styles from "./example-button.module.css";

const sampleOrder: JsonObject = example.settings.canvas.samples[0]?.data ?? {};

/** Creates the example flow, runs it with its sample order, and shows the run in the editor. */
export function ExampleButton() {
  const api = useApi();
  const router = useRouter();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: async () => {
      const { id } = await api.call("createFlow", { body: example as z.input<typeof newFlow> });
      // The flow exists even if it could not be run yet.
      const run = await api.call("executeFlow", { params: { id }, body: { data: sampleOrder } }).catch(() => null);
      return { id, run };
    },
    onSuccess: async ({ id, run }) => {
      await queries.invalidateQueries({ queryKey: ["flows"] });
      router.push(run === null ? `/flows/${id}` : `/flows/${id}?run=${run.executionId}`);
    },
  });
  return (
    <>
      <GuardedButton scope="flows:write" onClick={() => create.mutate()} loading={create.isPending || create.isSuccess}>
        Create and run the example
      </GuardedButton>
      {create.isError && (
        <p role="alert" className={styles.failure}>
          The example could not be created. {sayFailure(create.error)}
        </p>
      )}
    </>
  );
}
