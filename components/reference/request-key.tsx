import { NativeSelect, PasswordInput } from "@mantine/core";
import type { Access } from "./operation.ts";

/** Who calls: the member who is signed in, or a program with a key. */
export interface CallAs {
  readonly kind: "session" | "key";
  readonly key: string;
}

interface RequestKeyProps {
  readonly access: Access;
  readonly value: CallAs;
  readonly onChange: (value: CallAs) => void;
}

const sessionChoice = { value: "session", label: "You, signed in here" };
const keyChoice = { value: "key", label: "An API key" };

export function RequestKey({ access, value, onChange }: RequestKeyProps) {
  const choices = [...(access.takesSessions ? [sessionChoice] : []), ...(access.takesKeys ? [keyChoice] : [])];
  return (
    <>
      <NativeSelect
        label="Send as"
        data={choices}
        value={value.kind}
        onChange={(event) => onChange({ ...value, kind: event.currentTarget.value === "key" ? "key" : "session" })}
      />
      {value.kind === "key" && (
        <PasswordInput
          label="Key"
          description="Sent with this request alone, and kept nowhere."
          autoComplete="off"
          data-1p-ignore
          spellCheck={false}
          value={value.key}
          onChange={(event) => onChange({ ...value, key: event.currentTarget.value })}
        />
      )}
    </>
  );
}
