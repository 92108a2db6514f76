import { Button, Group, Modal, NativeSelect, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { runQueries } from "#components/executions/run-queries.ts";
import { formatExact } from "#components/time/exact-time.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { changeCanvas } from "../commands/change-canvas.ts";
import { nameOf } from "../commands/connect.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import { newName } from "../draft/new-id.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { runFlow } from "./run-flow.ts";

interface RunDialogProps {
  readonly onClose: () => void;
  readonly untilNode: string | null;
}

/** Asks what to run with: typed in, a saved sample, or what an earlier run began with. */
export function RunDialog({ onClose, untilNode }: RunDialogProps) {
  const session = useSession();
  const { api, editor } = session;
  const draft = useEditorState((state) => state.draft);
  const { samples } = canvasOf(draft);
  const runs = useQuery(runQueries.list(api, { flow: editor.flowId, limit: 10 })).data?.items ?? [];
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [source, setSource] = useState("");
  const inputs = [
    ...samples.map(({ name, data }, index) => ({ value: `sample ${index}`, label: name, data })),
    ...runs.map((run) => ({
      value: run.id,
      label: `Run of ${formatExact(run.startedAt)} · ${run.status}`,
      data: run.trigger.data,
    })),
  ];
  const chosen = inputs.find((input) => input.value === source) ?? inputs[0];
  const text = typed ?? JSON.stringify(isJsonObject(chosen?.data) ? chosen.data : {}, null, 2);
  const withData = (use: (data: JsonObject) => void) => {
    const read = readObject(text);
    setProblem(read.problem);
    if (read.data !== null) use(read.data);
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    withData((data) => {
      onClose();
      void runFlow(session, data, untilNode);
    });
  };
  const save = () =>
    withData((data) => {
      const name = newName("Sample", new Set(samples.map((sample) => sample.name)));
      editor.change("Save a sample", changeCanvas({ samples: [{ name, data }, ...samples] }));
      setSource("sample 0");
      setTyped(null);
    });
  const title = untilNode === null ? `Run ${draft.name}` : `Run to ${nameOf(draft.nodes, untilNode)}`;
  return (
    <Modal opened onClose={onClose} title={title} size={560}>
      <form onSubmit={submit}>
        {inputs.length > 0 && (
          <NativeSelect
            label="Begin with"
            value={chosen?.value ?? ""}
            onChange={(event) => {
              setSource(event.currentTarget.value);
              setTyped(null);
              setProblem(null);
            }}
            data={inputs.map(({ value, label }) => ({ value, label }))}
            mb="sm"
          />
        )}
        <Textarea
          data-autofocus
          label="Input"
          description="A JSON object; the flow sees it as $trigger.body."
          value={text}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && (event.metaKey || event.ctrlKey) && submit()}
          error={problem}
          autosize
          minRows={8}
          maxRows={18}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--font-mono)", fontSize: 12, lineHeight: 1.6 } }}
        />
        <Group justify="space-between" gap="xs" mt="md">
          <Button variant="subtle" onClick={save}>
            Save as a sample
          </Button>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button type="submit">Run</Button>
          </Group>
        </Group>
      </form>
    </Modal>
  );
}

function readObject(text: string): { readonly data: JsonObject | null; readonly problem: string | null } {
  try {
    const data: unknown = JSON.parse(text);
    if (isJsonObject(data)) return { data, problem: null };
    return { data: null, problem: 'The input must be an object, such as {"id": 7}.' };
  } catch (error) {
    return { data: null, problem: `This is not JSON: ${error instanceof Error ? error.message : "unreadable"}.` };
  }
}
