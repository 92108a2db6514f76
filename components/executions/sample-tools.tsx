import { ActionIcon, Button, Group, TextInput, Tooltip } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import { type RunInput, sampleId, sampleName } from "./run-input.ts";

const nameCharactersMax = 80;

interface SampleToolsProps {
  readonly inputs: readonly RunInput[];
  readonly chosen: RunInput | undefined;
  /** Keeps what stands in the dialog; false when it cannot be read. */
  readonly onSave: (name: string) => boolean;
  readonly onChoose: (id: string) => void;
  readonly onRemove: (name: string) => void;
}

/** Keeps what was typed under a name, to run with again, and puts away what is not needed any more. */
export function SampleTools({ inputs, chosen, onSave, onChoose, onRemove }: SampleToolsProps) {
  const [name, setName] = useState<string | null>(null);
  const removable = sampleName(chosen?.id ?? "");
  const wanted = name?.trim() ?? "";
  const isTaken = inputs.some((input) => input.id === sampleId(wanted));
  const save = () => {
    if (wanted === "" || !onSave(wanted)) return;
    setName(null);
    onChoose(sampleId(wanted));
  };
  const onKeyDown = (event: KeyboardEvent) => {
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
        <Button variant="light" onClick={save} disabled={wanted === ""}>
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
