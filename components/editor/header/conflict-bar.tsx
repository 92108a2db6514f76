import { Button, Group, Modal, SegmentedControl } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { fieldName } from "#components/editor/history/change-list.tsx";
import { saveAsNew } from "#components/editor/state/save-state.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import { diffFields } from "#lib/engine/changes/diff-drafts.ts";
import type { Clash, Side } from "#lib/engine/changes/merge-drafts.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { useSession } from "../state/editor-context.ts";
import { answered } from "../state/server-flow.ts";
import styles from "./save-trouble.module.css";

/** The same part was changed here and elsewhere: shows both for the user to choose. Neither is lost until then. */
export function ConflictBar({ clashes }: { readonly clashes: readonly Clash[] }) {
  const session = useSession();
  const { autosave, editor } = session;
  const schemaOf = ({ mine, theirs }: Clash) => {
    const node = isJsonObject(mine) ? mine : theirs;
    return isJsonObject(node) ? editor.types.find(({ type }) => type === node.type)?.configSchema : undefined;
  };
  const [opened, { open, close }] = useDisclosure(false);
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map());
  const resolve = (prefer: (key: string) => Side) => {
    close();
    autosave.resolve(prefer).catch((error: unknown) => {
      editor.say(`Your choice could not be saved. ${sayFailure(error)}`, { tone: "problem" });
    });
  };
  const [isKeeping, setIsKeeping] = useState(false);
  const keepBoth = async () => {
    setIsKeeping(true);
    try {
      const id = await answered((signal) => saveAsNew(session, signal));
      await autosave.resolve(() => "theirs");
      const open = () => window.open(`/flows/${id}`, "_blank", "noreferrer");
      editor.say("Your changes were saved as a new flow.", { action: { label: "Open it", run: open } });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      editor.say(`Your changes could not be saved as a new flow. ${sayFailure(error)}`, { tone: "problem" });
    } finally {
      setIsKeeping(false);
      close();
    }
  };
  const names = clashes.map((clash) => clash.what);
  return (
    <div className={styles.bar} role="alert">
      <span className={styles.text}>
        Someone else also changed: {names.slice(0, 3).join(", ")}
        {names.length > 3 && ` and ${names.length - 3} more`}. Nothing is saved until you choose which changes to keep.
      </span>
      <Button onClick={open}>Compare and choose</Button>
      <Modal opened={opened} onClose={close} title="Conflicting changes" size={860}>
        <div className={styles.clashes}>
          {clashes.map((clash) => (
            <section key={clash.key} className={styles.clash}>
              <div className={styles.clashHead}>
                <h3 className={styles.what} dir="auto">
                  {clash.what}
                </h3>
                {clashes.length > 1 && (
                  <SegmentedControl
                    size="xs"
                    value={chosen.get(clash.key) ?? "mine"}
                    onChange={(side) => setChosen(new Map(chosen).set(clash.key, side === "theirs" ? side : "mine"))}
                    data={[
                      { value: "mine", label: "Mine" },
                      { value: "theirs", label: "Theirs" },
                    ]}
                    aria-label={`Which change to keep: ${clash.what}`}
                  />
                )}
              </div>
              {diffFields(clash.mine, clash.theirs).map(({ path, before, after }) => (
                <div key={path} className={styles.sides}>
                  <OneSide name={path === "" ? "Here" : `${fieldName(path, schemaOf(clash))} here`} value={before} />
                  <OneSide
                    name={path === "" ? "Elsewhere" : `${fieldName(path, schemaOf(clash))} elsewhere`}
                    value={after}
                  />
                </div>
              ))}
            </section>
          ))}
        </div>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" loading={isKeeping} onClick={() => void keepBoth()}>
            Keep mine as a new flow
          </Button>
          {clashes.length > 1 ? (
            <Button disabled={isKeeping} onClick={() => resolve((key) => chosen.get(key) ?? "mine")}>
              Apply choices
            </Button>
          ) : (
            <>
              <Button variant="default" disabled={isKeeping} onClick={() => resolve(() => "theirs")}>
                Use theirs
              </Button>
              <Button disabled={isKeeping} onClick={() => resolve(() => "mine")}>
                Use mine
              </Button>
            </>
          )}
        </Group>
      </Modal>
    </div>
  );
}

function OneSide({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <div>
      <div className={styles.sideName}>{name}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.side} dir="auto" tabIndex={0}>
        {value === undefined ? "Missing" : typeof value === "string" ? value : JSON.stringify(value, null, 2)}
      </pre>
    </div>
  );
}
