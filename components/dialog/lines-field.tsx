import { Textarea, type TextareaProps } from "@mantine/core";

/** Several short things, one a line. */
export function LinesField(shown: TextareaProps) {
  return <Textarea autosize minRows={1} maxRows={5} spellCheck={false} {...shown} />;
}
