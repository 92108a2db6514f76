import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../state/editor-context.ts";
import styles from "./history-panel.module.css";

interface VersionNameProps {
  readonly flowId: string;
  readonly version: number;
  readonly name: string | null;
}

const charactersMax = 100;

/** What a version is called, written where it stands; its number until somebody names it. */
export function VersionName({ flowId, version, name }: VersionNameProps) {
  const { api, editor } = useSession();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(name ?? "");
  const rename = useMutation({
    mutationFn: (next: string | null) =>
      api.call("nameFlowVersion", { params: { id: flowId, version: String(version) }, body: { name: next } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["flows", "versions", flowId] }),
    onError: () => editor.say("The version was not renamed.", { tone: "problem" }),
  });
  return (
    <input
      className={styles.name}
      value={typed}
      maxLength={charactersMax}
      placeholder={`Version ${version}`}
      aria-label={`Name of version ${version}`}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        const next = typed.trim() === "" ? null : typed.trim();
        if (next !== name) rename.mutate(next);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
      }}
    />
  );
}
