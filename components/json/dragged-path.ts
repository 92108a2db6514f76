import type { DragEvent } from "react";

const format = "application/x-millrace-path";

/** Lets the path of a value be dragged into a field, where it becomes an expression. Only paths that expressions know. */
export function draggable(path: string) {
  if (!path.startsWith("$")) return {};
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.setData(format, path);
      dataTransfer.setData("text/plain", `{{ ${path} }}`);
      dataTransfer.effectAllowed = "copy";
    },
  };
}

/** Whether a path is being dragged; which one is told only when it is let go. */
export function holdsPath(data: DataTransfer): boolean {
  return data.types.includes(format);
}

/** The path that is let go here; empty when it is something else. */
export function droppedPath(data: DataTransfer | null): string {
  return data?.getData(format) ?? "";
}
