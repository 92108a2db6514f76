import { Button, Group, Modal, NativeSelect } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useReturnedFocus } from "#components/dialog/dialog.tsx";
import { nameOf } from "../commands/connect.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { loopsBeside, moveSelectedInto } from "./level-actions.ts";

/** Asks which of several loops to move the selected nodes into. */
export function MoveDialog() {
  const isMoving = useEditorState((state) => state.isMoving);
  return isMoving ? <Dialog /> : null;
}

function Dialog() {
  useReturnedFocus();
  const session = useSession();
  const { editor } = session;
  const [loops] = useState(() => loopsBeside(editor));
  const form = useForm({ initialValues: { loop: loops[0] ?? "" } });
  const close = () => editor.store.setState({ isMoving: false });
  const submit = form.onSubmit(({ loop }) => {
    close();
    moveSelectedInto(session, loop);
  });
  return (
    <Modal opened onClose={close} title="Move into a loop" size={400}>
      <form onSubmit={submit}>
        <NativeSelect
          data-autofocus
          label="Loop"
          description="The selected nodes become part of its body."
          {...form.getInputProps("loop")}
          data={loops.map((id) => ({ value: id, label: nameOf(editor.level.nodes, id) }))}
        />
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit">Move</Button>
        </Group>
      </form>
    </Modal>
  );
}
