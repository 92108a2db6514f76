import { type DragEvent, useEffect, useRef } from "react";

/** Takes a file that is dropped on an element, or JSON that is pasted anywhere on the page but in a field. */
export function useGivenFile(take: (file: File) => void) {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const paste = ({ target, clipboardData }: ClipboardEvent) => {
      if (target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null) return;
      const [file] = clipboardData?.files ?? [];
      const text = clipboardData?.getData("text/plain").trim() ?? "";
      if (file !== undefined) latest.current(file);
      else if (text.startsWith("{")) latest.current(new File([text], "What was pasted"));
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
  return {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
    },
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      if (file === undefined) return;
      event.preventDefault();
      take(file);
    },
  };
}
