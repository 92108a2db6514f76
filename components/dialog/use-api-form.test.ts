import { describe, expect, test } from "vitest";
import { placeIn } from "./use-api-form.ts";

describe("where a form shows a rejected field", () => {
  const values = {
    name: "",
    emails: "a@example.com\nb",
    events: ["execution.failed"],
    columns: [{ name: "" }],
    file: null,
  };

  test("a value of the form has its own place", () => {
    expect(placeIn(values, "name")).toBe("name");
    expect(placeIn(values, "columns[0].name")).toBe("columns.0.name");
    expect(placeIn(values, "file")).toBe("file");
  });

  test("an item of a list without fields is shown at the list", () => {
    expect(placeIn(values, "emails[1]")).toBe("emails");
    expect(placeIn(values, "events[0]")).toBe("events");
  });

  test("a part without its own field is shown at the value that contains it", () => {
    expect(placeIn(values, "columns[0].type")).toBe("columns.0");
    expect(placeIn(values, "columns[7].name")).toBe("columns");
  });

  test("a problem that belongs to no value has no place", () => {
    expect(placeIn(values, "flowId")).toBeNull();
    expect(placeIn(values, "toString")).toBeNull();
  });
});
