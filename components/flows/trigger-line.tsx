"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTerminal2 } from "@tabler/icons-react";
import { summarizeTrigger } from "#components/canvas/card-summary.ts";
import { CodeBlock } from "#components/page/code-block.tsx";
import { CopyButton } from "#components/page/copy-button.tsx";
import { isJsonObject } from "#lib/engine/json.ts";
import type { ReadFlow } from "./read-flow.ts";
import styles from "./trigger-line.module.css";

/** How the flow is started from outside: its URL, ready to be copied, and the command that calls it. */
export function TriggerLine({ flow }: { readonly flow: ReadFlow }) {
  const [opened, { toggle }] = useDisclosure(false);
  const config = isJsonObject(flow.trigger.config) ? flow.trigger.config : {};
  const url = typeof config.url === "string" ? config.url : null;
  const method = typeof config.method === "string" ? config.method : "POST";
  if (url === null) return <p className={styles.line}>{summarizeTrigger(flow.trigger)}</p>;
  return (
    <div className={styles.trigger}>
      <div className={styles.line}>
        <span className={styles.method}>{method}</span>
        <span className={styles.url}>{url}</span>
        <CopyButton text={url} label="Copy the trigger URL" />
        <Button
          variant="subtle"
          leftSection={<IconTerminal2 size={16} aria-hidden="true" />}
          onClick={toggle}
          aria-expanded={opened}
        >
          curl
        </Button>
      </div>
      {opened && <CodeBlock text={curlOf(method, url)} label="Copy the command" />}
    </div>
  );
}

function curlOf(method: string, url: string): string {
  if (method === "GET" || method === "DELETE") return `curl -X ${method} '${url}'`;
  return `curl -X ${method} '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -d '{}'`;
}
