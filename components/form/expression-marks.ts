import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, WidgetType } from "@codemirror/view";
import { nodeReference } from "#lib/engine/node-reference.ts";
import { readExpression } from "#lib/expressions/expressions.ts";

/** Where a text's expressions are, including braces; an unclosed one ends with its line. */
export function templateRanges(text: string): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (let open = text.indexOf("{{"); open !== -1; ) {
    let to = open + 2;
    if (text[open - 1] !== "\\") {
      to = endOf(text, open);
      ranges.push({ from: open, to });
    }
    open = text.indexOf("{{", to);
  }
  return ranges;
}

function endOf(text: string, open: number): number {
  try {
    const { end } = readExpression(text, open + 2);
    if (text.startsWith("}}", end)) return end + 2;
  } catch {
    // Being typed.
  }
  const close = text.indexOf("}}", open);
  const line = text.indexOf("\n", open);
  if (close !== -1) return close + 2;
  return line === -1 ? text.length : line;
}

const templateMark = Decoration.mark({ class: "cm-template" });
const reference = /\$nodes\[(['"])((?:(?!\1)[^\\]|\\.)*)\1\]/g;

class NodeName extends WidgetType {
  readonly name: string;
  readonly id: string;
  constructor(name: string, id: string) {
    super();
    this.name = name;
    this.id = id;
  }
  override eq(other: NodeName): boolean {
    return other.name === this.name && other.id === this.id;
  }
  override toDOM(): HTMLElement {
    const chip = document.createElement("span");
    chip.className = "cm-nodeName";
    chip.textContent = this.name;
    chip.title = nodeReference(this.id);
    return chip;
  }
}

/**
 * Marks expressions in text, and shows the name of the node that `$nodes['id']` reads, which follows renames. A chip is
 * deleted as a whole. A reference being edited is shown as text, because a caret has no position inside a chip.
 */
export function expressionMarks(isTemplate: boolean, nameOf: (id: string) => string | undefined): Extension {
  const build = (view: EditorView): DecorationSet => {
    const text = view.state.doc.toString();
    const carets = view.state.selection.ranges.map((range) => range.head);
    const chips = [...text.matchAll(reference)].flatMap((match) => {
      const [whole, , id = ""] = match;
      const [from, to] = [match.index, match.index + whole.length];
      const name = nameOf(id);
      const isBeingWritten = carets.some((caret) => caret > from && caret < to);
      return name === undefined || isBeingWritten ? [] : [{ from, to, name, id }];
    });
    const builder = new RangeSetBuilder<Decoration>();
    const marks = isTemplate ? templateRanges(text).map((range) => ({ ...range, deco: templateMark })) : [];
    const replaced = chips.map(({ from, to, name, id }) => ({
      from,
      to,
      deco: Decoration.replace({ widget: new NodeName(name, id) }),
    }));
    for (const { from, to, deco } of [...marks, ...replaced].sort((a, b) => a.from - b.from || a.to - b.to))
      builder.add(from, to, deco);
    return builder.finish();
  };
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = build(view);
      }
      update(update: ViewUpdate): void {
        if (update.docChanged || update.selectionSet) this.decorations = build(update.view);
      }
    },
    {
      decorations: (plugin) => plugin.decorations,
      provide: (plugin) => EditorView.atomicRanges.of((view) => view.plugin(plugin)?.decorations ?? Decoration.none),
    },
  );
}
