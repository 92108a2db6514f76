import { SegmentedControl } from "@mantine/core";

interface FormOrJsonProps {
  readonly view: string;
  readonly onChoose: (view: string) => void;
  readonly label: string;
}

/** Two ways to write a config: field by field, or as the API's JSON. */
export function FormOrJson({ view, onChoose, label }: FormOrJsonProps) {
  return (
    <SegmentedControl
      size="xs"
      value={view}
      onChange={onChoose}
      data={[
        { value: "form", label: "Form" },
        { value: "json", label: "JSON" },
      ]}
      aria-label={label}
    />
  );
}
