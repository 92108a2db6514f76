import { Button, Group, Modal, NativeSelect, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useReturnedFocus } from "#components/dialog/use-returned-focus.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { readObject } from "./read-object.ts";
import type { RunInput } from "./run-input.ts";
import { SampleTools } from "./sample-tools.tsx";

/** Inputs that are kept with the flow. */
interface Samples {
  readonly save: (name: string, data: JsonObject) => void;
  readonly remove: (name: string) => void;
}

interface InputDialogProps {
  readonly title: string;
  /** What can be begun with; the first one stands there at first. */
  readonly inputs: readonly RunInput[];
  readonly onRun: (data: JsonObject) => void;
  readonly onClose: () => void;
  readonly busy?: boolean;
  /** Why the run did not start. */
  readonly failure?: string | null;
  /** Where inputs can be kept; without it they cannot. */
  readonly samples?: Samples;
}

/** Asks what to run with: typed in, a saved sample, or what an earlier run began with. */
export function InputDialog({ title, inputs, onRun, onClose, busy, failure, samples }: InputDialogProps) {
  useReturnedFocus();
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [source, setSource] = useState("");
  const chosen = inputs.find((input) => input.id === source) ?? inputs[0];
  const text = typed ?? JSON.stringify(isJsonObject(chosen?.data) ? chosen.data : {}, null, 2);
  const choose = (id: string) => {
    setSource(id);
    setTyped(null);
    setProblem(null);
  };
  const withData = (use: (data: JsonObject) => void): boolean => {
    const read = readObject(text);
    setProblem(read.problem);
    if (read.data !== null) use(read.data);
    return read.data !== null;
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    withData(onRun);
  };
  return (
    <Modal opened onClose={onClose} title={title} size={560}>
      <form onSubmit={submit}>
        {inputs.length > 0 && (
          <NativeSelect
            label="Begin with"
            value={chosen?.id ?? ""}
            onChange={(event) => choose(event.currentTarget.value)}
            data={inputs.map(({ id, label }) => ({ value: id, label }))}
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
          error={problem ?? failure}
          autosize
          minRows={8}
          maxRows={18}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--font-mono)", fontSize: 12, lineHeight: 1.6 } }}
        />
        <Group justify="space-between" gap="xs" mt="md">
          {samples === undefined ? (
            <span />
          ) : (
            <SampleTools
              inputs={inputs}
              chosen={chosen}
              onSave={(name) => withData((data) => samples.save(name, data))}
              onChoose={choose}
              onRemove={samples.remove}
            />
          )}
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button type="submit" loading={busy ?? false}>
              Run
            </Button>
          </Group>
        </Group>
      </form>
    </Modal>
  );
}
