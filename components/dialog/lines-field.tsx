import { Textarea } from "@mantine/core";
import type { FieldProblems } from "./field-problems.ts";

interface LinesFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problems: FieldProblems["fields"];
  /** The list's name in the API: a problem with any of its items is shown here. */
  readonly field: string;
}

/** Several short things, one a line. */
export function LinesField({ onChange, problems, field, ...shown }: LinesFieldProps) {
  return (
    <Textarea
      {...shown}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={Object.entries(problems).find(([name]) => name.startsWith(field))?.[1]}
      autosize
      minRows={1}
      maxRows={5}
      spellCheck={false}
    />
  );
}
