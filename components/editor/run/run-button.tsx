import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconAntenna, IconPlayerPlay } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { changeCanvas } from "#components/editor/commands/change.ts";
import { nameOf } from "#components/editor/commands/connect.ts";
import { canvasOf } from "#components/editor/draft/canvas-settings.ts";
import styles from "#components/editor/header/editor-header.module.css";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { LazyInputDialog, useEarlierInputs } from "#components/executions/lazy-input-dialog.tsx";
import { sampleId } from "#components/executions/run-input.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { listenForCall, runFlow } from "./run-flow.ts";

/** Runs the flow with a chosen input, or listens for the next call of its trigger. */
export function RunButton() {
  const session = useSession();
  const { editor, runs } = session;
  const isAsking = useEditorState((state) => state.askingForInput);
  const isStarting = useEditorState((state) => state.isStarting);
  const isListening = useStore(runs.store, (state) => state.listening);
  const ask = () => editor.store.setState({ askingForInput: { untilNode: null } });
  const close = () => editor.store.setState({ askingForInput: null });
  const [unsent, setUnsent] = useState<JsonObject | null>(null);
  const run = async (data: JsonObject, untilNode: string | null) => {
    close();
    setUnsent((await runFlow(session, data, untilNode)) ? null : data);
  };
  const listen = () => {
    void listenForCall(session);
    const { copy, version } = editor.store.getState();
    if (copy !== null) editor.say(`Calls run version ${version}, without the unpublished changes.`);
  };
  return (
    <div className={styles.split}>
      {isListening ? (
        <Button variant="default" onClick={() => runs.clear()}>
          Stop listening
        </Button>
      ) : (
        <Button leftSection={<IconPlayerPlay size={16} aria-hidden="true" />} onClick={ask} loading={isStarting}>
          Run
        </Button>
      )}
      <Tooltip label="Listen for the next call">
        <ActionIcon variant="filled" size={32} aria-label="Listen for the next call" onClick={listen}>
          <IconAntenna size={16} />
        </ActionIcon>
      </Tooltip>
      {isAsking && <RunDialog onClose={close} onRun={run} unsent={unsent} untilNode={isAsking.untilNode} />}
    </div>
  );
}

interface RunDialogProps {
  readonly onClose: () => void;
  readonly onRun: (data: JsonObject, untilNode: string | null) => Promise<void>;
  /** The input of a run that could not be started. */
  readonly unsent: JsonObject | null;
  readonly untilNode: string | null;
}

/** Runs the edited flow, or up to one of its nodes, with a sample or any other input. */
function RunDialog({ onClose, onRun, unsent, untilNode }: RunDialogProps) {
  const session = useSession();
  const { editor } = session;
  const draft = useEditorState((state) => state.draft);
  const { samples } = canvasOf(draft);
  const earlier = useEarlierInputs(editor.flowId);
  const read = useMemo(() => inputRead(draft.nodes), [draft.nodes]);
  const offered =
    Object.keys(read).length === 0 ? [] : [{ id: "read", label: "The fields the flow reads", data: read }];
  const others = (name: string) => samples.filter((sample) => sample.name !== name);
  return (
    <LazyInputDialog
      title={untilNode === null ? `Run ${draft.name}` : `Run to ${nameOf(draft.nodes, untilNode)}`}
      inputs={[
        ...(unsent === null ? [] : [{ id: "unsent", label: "The run that could not be started", data: unsent }]),
        ...samples.map(({ name, data }) => ({ id: sampleId(name), label: name, data })),
        ...earlier,
        ...offered,
      ]}
      onRun={(data) => void onRun(data, untilNode)}
      onClose={onClose}
      samples={{
        save: (name, data) =>
          editor.change("Save a sample", changeCanvas({ samples: [{ name, data }, ...others(name)] })),
        remove: (name) => editor.change("Remove a sample", changeCanvas({ samples: others(name) })),
      }}
    />
  );
}

const pathsMax = 200;
/** What an expression reads of the input; before it, whether a loop runs over it, and after it, whether it is called. */
const reads = /("items":"(?:\{\{\s*)?)?\$trigger\.body((?:\??\.[A-Za-z_][\w$]*)+)(\()?/g;
const ofLists = new Set(["length", "map", "filter", "reduce", "some", "every", "find", "flatMap", "forEach", "at"]);

/** The input that the nodes' expressions read, with empty values: `{"customer": {"email": ""}, "items": []}`. */
export function inputRead(nodes: readonly FlowNode[]): JsonObject {
  const input: { [name: string]: Json } = {};
  let count = 0;
  for (const [, loop, path = "", call] of JSON.stringify(nodes).matchAll(reads)) {
    count += 1;
    if (count > pathsMax) break;
    const names = path.split(/\??\./).slice(1);
    const last = names.at(-1) ?? "";
    const isList = loop !== undefined || ofLists.has(last);
    if (call !== undefined || last === "length") names.pop();
    put(input, names, isList ? [] : "");
  }
  return input;
}

/** Sets the value at a path. What is known already about its parts is kept. */
function put(input: { [name: string]: Json }, names: readonly string[], value: Json): void {
  let at = input;
  for (const [index, name] of names.entries()) {
    if (name === "__proto__") return;
    const known = at[name];
    if (index === names.length - 1) {
      if (known === undefined || known === "") at[name] = value;
      return;
    }
    if (Array.isArray(known)) return;
    const inner = isJsonObject(known) ? known : {};
    at[name] = inner;
    at = inner;
  }
}
