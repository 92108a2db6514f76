import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useForm } from "../form-context.ts";

interface IdInputProps {
  readonly value: string;
  readonly taken: readonly string[];
  readonly onChange: (id: string) => void;
  readonly label: string;
}

const reserved: ReadonlySet<string> = new Set(["default", "error"]);

/** An id by which something else knows this: taken over only when it can be one, so that nothing loses its way while it is typed. */
export function IdInput({ value, taken, onChange, label }: IdInputProps) {
  const { readOnly, onLeave } = useForm();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? value;
  const problem = refuse(text, taken);
  return (
    <TextInput
      value={text}
      aria-label={label}
      readOnly={readOnly}
      maxLength={64}
      error={problem}
      onChange={(event) => {
        const { value: next } = event.currentTarget;
        setTyped(next);
        if (refuse(next, taken) === null) onChange(next);
      }}
      onBlur={() => {
        setTyped(null);
        onLeave();
      }}
      styles={{ input: { height: 26, minHeight: 26, fontFamily: "var(--font-mono)", fontSize: 12 } }}
    />
  );
}

function refuse(id: string, taken: readonly string[]): string | null {
  if (id === "") return "It needs an id";
  if (taken.includes(id)) return "Another has this id";
  return reserved.has(id) ? "Every switch has this one" : null;
}
