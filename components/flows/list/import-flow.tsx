"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { useChange } from "#components/api/use-change.ts";
import { GuardedButton } from "#components/page/guarded-button.tsx";

/** Makes a flow of an exported document, which is chosen as a file. */
export function ImportFlow() {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const take = useChange({
    run: async (api, file: File) => {
      const data = readDocument(await file.text());
      return await api.call("importFlow", { body: { data: data as never } });
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

/** What is wrong with the document itself, the API says. */
function readDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
