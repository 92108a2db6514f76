import { Select } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { asText } from "#components/form/field-spec.ts";
import { useForm, type WidgetProps } from "#components/form/form-context.ts";
import { findAll } from "#lib/search-words.ts";

export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
let known: readonly string[] | undefined;

/** The browser's time zones, the user's own first. */
function zones(): readonly string[] {
  known ??= [...new Set([ownZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])];
  return known;
}

const offsets = new Map<string, string>();

/** A zone's offset, such as "UTC+02:00"; empty if it is not a zone. Kept: 40 of them take as long as a frame. */
function offsetOf(timeZone: string): string {
  const offset = offsets.get(timeZone) ?? findOffset(timeZone);
  offsets.set(timeZone, offset);
  return offset;
}

function findOffset(timeZone: string): string {
  try {
    const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts();
    const offset = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
    return offset === "GMT" ? "UTC+00:00" : offset.replace("GMT", "UTC");
  } catch {
    return "";
  }
}

const shownMax = 40;

/** A time zone by its IANA name, searched by any part of it: "york new" finds America/New_York. */
export function ZoneWidget({ id, value, onChange, spec }: WidgetProps) {
  const { readOnly } = useForm();
  const zone = asText(value);
  const fallback = asText(spec.default);
  const [isOpen, setOpen] = useState(false);
  /** Text that arrives at once, as when it is pasted, highlights no option: Enter then takes the first one. */
  const takeFirst = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, nativeEvent, currentTarget: field } = event;
    const isHighlighted = field.hasAttribute("aria-activedescendant");
    if (key !== "Enter" || nativeEvent.isComposing || readOnly || isHighlighted || field.value === zone) return;
    const [first] = findAll(zones(), field.value, (name) => [name]);
    if (first === undefined || field.value === "") return;
    event.preventDefault();
    onChange(first);
    setOpen(false);
  };
  return (
    <Select
      id={id}
      value={zone === "" ? null : zone}
      data={zone === "" || zones().includes(zone) ? zones() : [zone, ...zones()]}
      onChange={(next) => onChange(next ?? undefined)}
      searchable
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onKeyDown={takeFirst}
      selectFirstOptionOnChange
      clearable={!readOnly}
      clearButtonProps={{ "aria-label": "Use the default time zone" }}
      readOnly={readOnly}
      limit={shownMax}
      placeholder={fallback}
      filter={({ options, search }) =>
        // The field holds the chosen value; that is not a search.
        search === zone ? options : [...findAll(options, search, (option) => ["label" in option ? option.label : ""])]
      }
      renderOption={({ option }) => (
        <span style={{ display: "flex", flex: 1, gap: 8, justifyContent: "space-between" }}>
          <span>{option.label.replaceAll("_", " ")}</span>
          <span style={{ color: "var(--text-muted)", fontVariantNumeric: "tabular-nums" }}>
            {offsetOf(option.value)}
          </span>
        </span>
      )}
      nothingFoundMessage="No matching time zones"
    />
  );
}
