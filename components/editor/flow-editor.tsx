"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { noteSave } from "#components/flows/pending-saves.ts";
import { type ReadFlow, readFlow } from "#components/flows/read-flow.ts";
import type { NodeType } from "#lib/contract/node-types.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { openDraft } from "./draft/open-draft.ts";
import { placeDraft } from "./draft/place-draft.ts";
import { EditorFrame } from "./editor-frame.tsx";
import { EditorContext } from "./state/editor-context.ts";
import { openSession } from "./state/editor-session.ts";
import { followNodeAddress } from "./state/node-address.ts";

interface FlowEditorProps {
  readonly flow: ReadFlow;
  readonly types: readonly NodeType[];
}

/** The editor of one flow: opened once, from then on the page's own state is what counts. */
export default function FlowEditor({ flow, types }: FlowEditorProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [session] = useState(() => {
    const { id, status, version, updatedAt } = flow;
    const stored = openDraft(flow);
    const opened = { id, status, version, updatedAt, draft: placeDraft(stored, types) };
    return openSession(api, { flow: opened, stored, types, url: webhookUrl(flow) });
  });
  useEffect(() => {
    const { autosave } = session;
    const leave = (event: BeforeUnloadEvent) => {
      if (!autosave.isUnsaved) return;
      // Whoever leaves all the same finds it when they come back.
      autosave.keep();
      event.preventDefault();
    };
    const comeBack = () => {
      if (document.visibilityState === "visible") void autosave.refresh();
      else autosave.keep();
    };
    const online = () => void autosave.flush();
    const leaveAddress = followNodeAddress(session.editor);
    autosave.start();
    session.problems.start();
    window.addEventListener("beforeunload", leave);
    window.addEventListener("focus", comeBack);
    document.addEventListener("visibilitychange", comeBack);
    window.addEventListener("online", online);
    return () => {
      leaveAddress();
      window.removeEventListener("beforeunload", leave);
      window.removeEventListener("focus", comeBack);
      document.removeEventListener("visibilitychange", comeBack);
      window.removeEventListener("online", online);
      // Whoever goes to another page of the app leaves nothing behind.
      noteSave(flow.id, autosave.flush());
      void queries.invalidateQueries({ queryKey: readFlow(api, flow.id).queryKey });
      autosave.stop();
      session.problems.stop();
      session.runs.stop();
    };
  }, [session, api, queries, flow.id]);
  return (
    <EditorContext value={session}>
      <EditorFrame />
    </EditorContext>
  );
}

function webhookUrl({ trigger: { config } }: ReadFlow): string | null {
  return isJsonObject(config) && typeof config.url === "string" ? config.url : null;
}
