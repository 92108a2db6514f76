import { type Node, type NodeProps, NodeResizer } from "@xyflow/react";
import { lazy, memo, Suspense } from "react";
import { changeNote } from "#components/editor/commands/change.ts";
import { type CanvasNote, noteColors, noteSizeMin } from "../draft/canvas-settings.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import styles from "./note-card.module.css";

// Few flows have notes.
const NoteText = lazy(() => import("./note-text.tsx"));

export type NoteNode = Node<{ note: CanvasNote }, "note">;

/** A note on the canvas, for readers of the flow. */
export const NoteCard = memo(function NoteCard({ data: { note }, selected }: NodeProps<NoteNode>) {
  const { editor, view } = useSession();
  const isWriting = useEditorState((state) => state.writingOn === note.id);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter and F2 have their own way into the text
    <div className={styles.note} data-color={note.color} onDoubleClick={() => editor.write(note.id)}>
      <NodeResizer
        isVisible={selected}
        minWidth={noteSizeMin.width}
        minHeight={noteSizeMin.height}
        lineClassName={styles.line ?? ""}
        handleClassName={styles.grip ?? ""}
        onResizeEnd={(_, { x, y, width, height }) =>
          editor.change(
            "Resize the note",
            changeNote(note.id, { x, y, width: Math.round(width), height: Math.round(height) }),
          )
        }
      />
      {selected && (
        <div className={`${styles.colors} nodrag`}>
          {noteColors.map((color) => (
            <button
              key={color}
              type="button"
              className={styles.color}
              data-color={color}
              aria-pressed={note.color === color}
              aria-label={`Make the note ${color}`}
              onClick={() => editor.change("Color the note", changeNote(note.id, { color }))}
            />
          ))}
        </div>
      )}
      {isWriting ? (
        <textarea
          // biome-ignore lint/a11y/noAutofocus: adding or double-clicking a note means writing in it
          autoFocus
          className={`${styles.text} nodrag nowheel`}
          dir="auto"
          value={note.text}
          aria-label="Note text"
          placeholder="Write something, in Markdown if you like"
          maxLength={5_000}
          onChange={(event) => {
            const { value: text } = event.currentTarget;
            editor.change("Write a note", changeNote(note.id, { text }), note.id);
          }}
          onBlur={() => {
            editor.write(null);
            editor.endGesture();
          }}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === "Escape") view.port?.focus(note.id);
          }}
        />
      ) : (
        <Suspense
          fallback={
            <p className={styles.text} dir="auto">
              {note.text}
            </p>
          }
        >
          {note.text ? <NoteText text={note.text} /> : <p className={styles.text}>Double-click to write</p>}
        </Suspense>
      )}
    </div>
  );
});
