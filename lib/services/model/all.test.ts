import { expect, test } from "vitest";
import { allServices } from "./all.ts";

/** WCAG's contrast of white on a colour. */
function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

test.each(allServices.map(({ name, icon }) => [name, icon.color]))(
  "%s's letters can be read on its colour",
  (_, color) => expect(contrastWithWhite(color)).toBeGreaterThanOrEqual(4.5),
);
