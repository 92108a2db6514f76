"use client";
import { ActionIcon } from "@mantine/core";
import { IconCheck, IconCopy, IconTerminal2 } from "@tabler/icons-react";
import codeBlockStyles from "./code-block.module.css";
import { useCopy } from "./copy-text.ts";
import styles from "./short-id.module.css";

interface CopyButtonProps {
  /** The text; a function for one that takes time to write. */
  readonly text: string | (() => string);
  /** What is copied: "Copy the trigger URL". */
  readonly label: string;
  readonly icon?: "copy" | "terminal";
  /** Its width and height; on a canvas, before the zoom. */
  readonly sizePx?: number;
  /** Whether it has the focus when its dialog opens. */
  readonly isFirst?: boolean | undefined;
}

export function CopyButton({ text, label, icon = "copy", sizePx = 24, isFirst }: CopyButtonProps) {
  const { isCopied, copy } = useCopy();
  const shown = isCopied ? "Copied" : label;
  return (
    <ActionIcon
      variant="subtle"
      size={sizePx}
      onClick={() => copy(typeof text === "string" ? text : text())}
      aria-label={shown}
      title={shown}
      data-autofocus={isFirst}
    >
      {isCopied ? <IconCheck size={14} /> : icon === "copy" ? <IconCopy size={14} /> : <IconTerminal2 size={14} />}
    </ActionIcon>
  );
}

/** Shortened in the middle: the prefix and the end tell ids apart. */
export function shortenId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 9)}…${id.slice(-6)}`;
}

/** An id, displayed short and copied in full. */
export function ShortId({ id, subject }: { readonly id: string; readonly subject: string }) {
  return (
    <span className={styles.id}>
      <span className="mono" title={id}>
        {shortenId(id)}
      </span>
      <CopyButton text={id} label={`Copy the ${subject} id`} />
    </span>
  );
}

/** A few lines of text to copy into a terminal. */
export function CodeBlock({ text, label, isFirst }: Pick<CopyButtonProps, "label" | "isFirst"> & { text: string }) {
  return (
    <div className={codeBlockStyles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={codeBlockStyles.text} tabIndex={0}>
        {text}
      </pre>
      <div className={codeBlockStyles.copy}>
        <CopyButton text={text} label={label} isFirst={isFirst} />
      </div>
    </div>
  );
}
