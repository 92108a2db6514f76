import { NativeSelect, TextInput } from "@mantine/core";
import type { TryableField } from "./tryable.ts";

interface RequestFieldProps {
  readonly field: TryableField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A parameter to be filled in; empty, it is not sent. */
export function RequestField({ field, value, onChange }: RequestFieldProps) {
  const { name, isRequired, example, options } = field;
  const common = {
    label: name,
    required: isRequired,
    value,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value),
  };
  if (options.length > 0) {
    const none = isRequired ? [] : [{ value: "", label: "not sent" }];
    return (
      <NativeSelect {...common} data={[...none, ...options.map((option) => ({ value: option, label: option }))]} />
    );
  }
  return <TextInput {...common} placeholder={example} spellCheck={false} autoComplete="off" />;
}
