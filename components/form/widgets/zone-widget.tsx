import { Select } from "@mantine/core";
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
  return (
    <Select
      id={id}
      value={zone === "" ? null : zone}
      data={zone === "" || zones().includes(zone) ? zones() : [zone, ...zones()]}
      onChange={(next) => onChange(next ?? undefined)}
      searchable
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
