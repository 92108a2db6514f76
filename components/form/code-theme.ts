import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--json-boolean)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--json-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--json-number)" },
  { tag: [tags.propertyName], color: "var(--text)" },
  { tag: [tags.comment], color: "var(--text-faint)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { fontSize: "12px", color: "var(--text)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { fontFamily: "var(--font-mono)", padding: "6px 0", caretColor: "var(--text)", lineHeight: "1.6" },
  ".cm-line": { padding: "0 8px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 24%, transparent)",
  },
  ".cm-placeholder": { color: "var(--text-faint)" },
  ".cm-template": { backgroundColor: "var(--accent-soft)", borderRadius: "3px", color: "var(--accent-text)" },
  ".cm-nodeName": {
    padding: "0 5px",
    borderRadius: "4px",
    backgroundColor: "var(--family-logic-soft)",
    color: "var(--family-logic)",
    fontFamily: "var(--font-sans)",
  },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "8px",
    backgroundColor: "var(--surface-raised)",
    boxShadow: "var(--shadow-floating)",
    overflow: "hidden",
    zIndex: "200",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--font-mono)",
    fontSize: "12px",
    maxHeight: "220px",
    maxWidth: "min(420px, calc(100vw - 16px))",
  },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", display: "flex", gap: "12px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--text)" },
  ".cm-completionDetail": { marginLeft: "auto", color: "var(--text-muted)", fontStyle: "normal" },
  ".cm-completionMatchedText": { textDecoration: "none", color: "var(--accent-text)" },
  ".cm-completionInfo": { padding: "6px 8px", fontSize: "12px", fontFamily: "var(--font-sans)", maxWidth: "220px" },
  ".cm-gutters": { border: "0", backgroundColor: "transparent", color: "var(--text-faint)" },
});

/** Code colours from the tokens, so that both schemes have theirs. */
export const codeTheme = [look, syntaxHighlighting(colors)];
