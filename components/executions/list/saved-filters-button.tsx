import { Button, type ButtonProps } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import type { ComponentProps } from "react";

/** Opens the menu of saved filters. */
export function SavedFiltersButton(button: ButtonProps & Omit<ComponentProps<"button">, keyof ButtonProps>) {
  return (
    <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden="true" />} {...button}>
      Saved filters
    </Button>
  );
}
