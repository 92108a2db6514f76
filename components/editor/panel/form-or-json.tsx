import { SegmentedControl } from "@mantine/core";

interface FormOrJsonProps {
  readonly view: string;
  readonly onChoose: (view: string) => void;
  readonly label: string;
}

/** How a config is written: field by field, or as the JSON that the API takes. */
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
