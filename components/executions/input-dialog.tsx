import { ActionIcon, Button, Group, Modal, NativeSelect, Textarea, TextInput, Tooltip } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconTrash } from "@tabler/icons-react";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { useReturnedFocus } from "#components/dialog/dialog.tsx";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { type RunInput, readObject, sampleId, sampleName } from "./run-input.ts";

const nameCharactersMax = 80;

interface SampleToolsProps {
  readonly inputs: readonly RunInput[];
  readonly chosen: RunInput | undefined;
  /** Saves the dialog's content; returns false if it cannot be parsed. */
  readonly onSave: (name: string) => boolean;
  readonly onChoose: (id: string) => void;
  readonly onRemove: (name: string) => void;
}

/** Saves the input under a name for later runs, and deletes samples. */
function SampleTools({ inputs, chosen, onSave, onChoose, onRemove }: SampleToolsProps) {
  const [name, setName] = useState<string | null>(null);
  const removable = sampleName(chosen?.id ?? "");
  const trimmed = name?.trim() ?? "";
  const isTaken = inputs.some((input) => input.id === sampleId(trimmed));
  const save = () => {
    if (trimmed === "" || !onSave(trimmed)) return;
    setName(null);
    onChoose(sampleId(trimmed));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") save();
    else if (event.key === "Escape") setName(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  if (name !== null) {
    return (
      <Group gap={6} wrap="nowrap">
        <TextInput
          autoFocus
          value={name}
          maxLength={nameCharactersMax}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          placeholder="A name, such as “Large order”"
          aria-label="Name of the sample"
        />
        <Button variant="light" onClick={save} disabled={trimmed === ""}>
          {isTaken ? "Replace" : "Save"}
        </Button>
      </Group>
    );
  }
  return (
    <Group gap={6}>
      <Button variant="subtle" onClick={() => setName(removable ?? "")}>
        Save as a sample
      </Button>
      {removable !== null && (
        <Tooltip label="Remove this sample">
          <ActionIcon variant="subtle" aria-label="Remove this sample" onClick={() => onRemove(removable)}>
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

/** Inputs saved with the flow. */
interface Samples {
  readonly save: (name: string, data: JsonObject) => void;
  readonly remove: (name: string) => void;
}

interface RunForm {
  /** The id of one of the inputs; empty for the first. */
  readonly source: string;
  /** Null until it is edited: the text is then that of the source. */
  readonly typed: string | null;
}

interface InputDialogProps {
  readonly title: string;
  /** The inputs to choose from; the first is the default. */
  readonly inputs: readonly RunInput[];
  readonly onRun: (data: JsonObject) => void;
  readonly onClose: () => void;
  readonly busy?: boolean;
  /** Why the run did not start. */
  readonly failure?: string | null;
  /** Where inputs can be saved, if anywhere. */
  readonly samples?: Samples;
}

/** Asks for a run's input: typed, a saved sample, or an earlier run's. */
export function InputDialog({ title, inputs, onRun, onClose, busy, failure, samples }: InputDialogProps) {
  useReturnedFocus();
  const form = useForm<RunForm>({ initialValues: { source: "", typed: null } });
  const sourceOf = ({ source }: RunForm) => inputs.find((input) => input.id === source) ?? inputs[0];
  const textOf = (values: RunForm) => {
    const data = sourceOf(values)?.data;
    return values.typed ?? JSON.stringify(isJsonObject(data) ? data : {}, null, 2);
  };
  const chosen = sourceOf(form.values);
  const choose = (source: string) => form.setValues({ source, typed: null });
  const withData = (use: (data: JsonObject) => void): boolean => {
    const { data, problem } = readObject(textOf(form.getValues()));
    form.setFieldError("typed", problem);
    if (data !== null) use(data);
    return data !== null;
  };
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    withData(onRun);
  };
  return (
    <Modal opened onClose={onClose} title={title} size={560} closeOnClickOutside={form.values.typed === null}>
      <form onSubmit={submit}>
        {inputs.length > 0 && (
          <NativeSelect
            label="Start with"
            value={chosen?.id ?? ""}
            onChange={(event) => choose(event.currentTarget.value)}
            data={inputs.map(({ id, label }) => ({ value: id, label }))}
            mb="sm"
          />
        )}
        <Textarea
          data-autofocus
          label="Input"
          description="A JSON object. The flow reads it as $trigger.body."
          {...form.getInputProps("typed")}
          value={textOf(form.values)}
          onKeyDown={(event) => event.key === "Enter" && (event.metaKey || event.ctrlKey) && submit(event)}
          error={form.errors.typed ?? failure}
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
              Cancel
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
