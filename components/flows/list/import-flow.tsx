"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { useChange } from "#components/api/use-change.ts";
import { GuardedButton } from "#components/page/guarded-button.tsx";

/** Makes a flow of a file: an exported document, or what `POST /flows` takes. */
export function ImportFlow() {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const take = useChange({
    run: async (api, file: File) => {
      // Loaded when it is needed: with it come the contract's schemas, half as much again as the page loads at first.
      const { readFlowFile } = await import("#components/editor/gallery/read-flow-file.ts");
      return await api.call("importFlow", { body: { data: await readFlowFile(file) } });
    },
    stale: ["flows"],
    done: ({ name }) => `${name} was imported as a draft.`,
    failed: "The file was not imported.",
    onDone: ({ id }) => router.push(`/flows/${id}`),
  });
  return (
    <>
      <GuardedButton
        scope="flows:write"
        variant="default"
        loading={take.isPending}
        onClick={() => input.current?.click()}
      >
        Import
      </GuardedButton>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="Exported flow"
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) take.mutate(file);
        }}
      />
    </>
  );
}
