"use client";

import { Tooltip } from "@mantine/core";
import type { ReactElement } from "react";

interface ExplainedProps {
  readonly why: string;
  readonly children: ReactElement;
}

/** Explains something on hover and focus. */
export default function Explained({ why, children }: ExplainedProps) {
  return (
    <Tooltip label={why} events={{ hover: true, focus: true, touch: true }} multiline maw={280}>
      {children}
    </Tooltip>
  );
}
