import { Button } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useSession } from "../state/editor-context.ts";
import { runFlow } from "./run-flow.ts";

export function RunButton() {
  const session = useSession();
  return (
    <Button leftSection={<IconPlayerPlay size={16} aria-hidden="true" />} onClick={() => void runFlow(session, {})}>
      Run
    </Button>
  );
}
