import { Textarea, type TextareaProps } from "@mantine/core";

/** Several short values, one per line. */
export function LinesField(shown: TextareaProps) {
  return <Textarea autosize minRows={1} maxRows={5} spellCheck={false} {...shown} />;
}
