"use client";

import { Button, Menu, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconBookmark, IconCheck, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { isFiltered, type RunFilter } from "./run-filter.ts";

interface SavedFilter {
  readonly name: string;
  readonly filter: RunFilter;
}

interface SavedFiltersProps {
  readonly filter: RunFilter;
  readonly onApply: (filter: RunFilter) => void;
}

/**
 * Filters under a name, kept in this browser: they are a habit of the person at it, and an address that is shared says
 * the same to everybody.
 */
export function SavedFilters({ filter, onApply }: SavedFiltersProps) {
  const [saved, setSaved] = useLocalStorage<readonly SavedFilter[]>({ key: "saved-run-filters", defaultValue: [] });
  const [naming, setNaming] = useState(false);
  const isSame = (other: RunFilter) => JSON.stringify(other) === JSON.stringify(filter);
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden="true" />}>
            Saved filters
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {saved.length === 0 && <Menu.Label>Set some filters, then save them under a name.</Menu.Label>}
          {saved.map((one) => (
            <Menu.Item
              key={one.name}
              onClick={() => onApply(one.filter)}
              rightSection={isSame(one.filter) && <IconCheck size={16} aria-label="in use" />}
            >
              {one.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={!isFiltered(filter)} onClick={() => setNaming(true)}>
            Save these filters…
          </Menu.Item>
          {saved
            .filter((one) => isSame(one.filter))
            .map(({ name }) => (
              <Menu.Item
                key={name}
                color="red"
                leftSection={<IconTrash size={16} aria-hidden="true" />}
                onClick={() => setSaved((before) => before.filter((one) => one.name !== name))}
              >
                Forget “{name}”
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      {naming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => setSaved((before) => [...before.filter((one) => one.name !== name), { name, filter }])}
        />
      )}
    </>
  );
}

interface NameDialogProps {
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

function NameDialog({ onName, onClose }: NameDialogProps) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const save = () => {
    if (name.trim() === "") return setProblem("Give it a name.");
    onName(name.trim());
    onClose();
  };
  return (
    <FormDialog
      title="Save these filters"
      submit="Save"
      size={400}
      busy={false}
      problem={null}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="Name"
        placeholder="Failed last night"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problem}
        maxLength={100}
      />
    </FormDialog>
  );
}
