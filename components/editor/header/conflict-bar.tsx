import { Button, Group, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { explainFailure } from "#components/page/explain-failure.ts";
import type { Clash } from "../draft/merge-drafts.ts";
import { useSession } from "../state/editor-context.ts";
import { saveAsNew } from "../state/save-as-new.ts";
import styles from "./save-trouble.module.css";

/** The same was changed here and elsewhere: shows both, and lets the user choose. Neither is lost until then. */
export function ConflictBar({ clashes }: { readonly clashes: readonly Clash[] }) {
  const session = useSession();
  const { autosave, editor } = session;
  const [opened, { open, close }] = useDisclosure(false);
  const choose = (side: "mine" | "theirs") => {
    close();
    void autosave.resolve(side);
  };
  const keepBoth = async () => {
    close();
    try {
      const id = await saveAsNew(session);
      await autosave.resolve("theirs");
      const open = () => window.open(`/flows/${id}`, "_blank", "noreferrer");
      editor.say("Yours is a flow of its own now.", { action: { label: "Open it", run: open } });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      editor.say(`Yours could not be stored as a new flow. ${explainFailure(error).why}`, { tone: "problem" });
    }
  };
  const names = clashes.map((clash) => clash.what);
  return (
    <div className={styles.bar} role="alert">
      <span className={styles.text}>
        Somebody else changed the same: {names.slice(0, 3).join(", ")}
        {names.length > 3 && ` and ${names.length - 3} more`}. Everything else of both sides fits together.
      </span>
      <Button onClick={open}>Compare and choose</Button>
      <Modal opened={opened} onClose={close} title="Both sides changed the same" size={860}>
        <div className={styles.clashes}>
          {clashes.map((clash) => (
            <section key={clash.what} className={styles.clash}>
              <h3 className={styles.what}>{clash.what}</h3>
              <div className={styles.sides}>
                <Side name="Here" value={clash.mine} />
                <Side name="Elsewhere" value={clash.theirs} />
              </div>
            </section>
          ))}
        </div>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={() => void keepBoth()}>
            Keep mine as a new flow
          </Button>
          <Button variant="default" onClick={() => choose("theirs")}>
            Take theirs
          </Button>
          <Button onClick={() => choose("mine")}>Take mine</Button>
        </Group>
      </Modal>
    </div>
  );
}

function Side({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <div>
      <div className={styles.sideName}>{name}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.side} tabIndex={0}>
        {value === undefined ? "Removed" : JSON.stringify(value, null, 2)}
      </pre>
    </div>
  );
}
