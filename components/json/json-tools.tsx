"use client";

import { ActionIcon, TextInput } from "@mantine/core";
import { IconDownload, IconSearch } from "@tabler/icons-react";
import { CopyButton } from "#components/page/copy-button.tsx";
import styles from "./json-tree.module.css";
import { copiedText } from "./json-value.ts";

interface JsonToolsProps {
  readonly value: unknown;
  readonly label: string;
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

/** Search within a large value, and ways to take it along. */
export function JsonTools({ value, label, search, onSearch }: JsonToolsProps) {
  return (
    <div className={styles.tools}>
      <TextInput
        size="xs"
        aria-label={`Search in ${label.toLowerCase()}`}
        placeholder="Search names and values"
        leftSection={<IconSearch size={14} aria-hidden="true" />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
        className={styles.search}
      />
      <CopyButton text={copiedText(value)} label={`Copy all of ${label.toLowerCase()}`} />
      <ActionIcon
        variant="subtle"
        size={24}
        aria-label={`Download ${label.toLowerCase()}`}
        title="Download as a file"
        onClick={() => download(label, copiedText(value))}
      >
        <IconDownload size={14} />
      </ActionIcon>
    </div>
  );
}

function download(label: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${label.toLowerCase().replaceAll(" ", "-")}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
