import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { bracketMatching } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  keymap,
  placeholder as placeholderText,
  tooltips,
} from "@codemirror/view";
import { useMantineStyleNonce } from "@mantine/core";
import { useEffect, useRef } from "react";
import styles from "./code-editor.module.css";
import { codeTheme } from "./code-theme.ts";
import { completeExpression } from "./complete-expression.ts";
import { type DropLanguage, dropPath, insertPath } from "./drop-path.ts";
import { expressionMarks, templateRanges } from "./expression-marks.ts";
import { type FormContextValue, useForm } from "./form-context.ts";

/**
 * Text with `{{ … }}` in it, one expression or function body, a whole program, JSON with templates in its strings, or
 * plain JSON.
 */
export type CodeLanguage = "template" | "program" | "code" | "json" | "data";

/** A field's initial text when an expression is started, and the caret's position in it. */
export const emptyExpression = "{{  }}";
const withinBraces = 3;

interface CodeEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly language: CodeLanguage;
  readonly label: string;
  readonly describedBy?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly invalid?: boolean;
  /** Lines shown when it is empty. */
  readonly lines?: number;
  readonly autoFocus?: boolean;
}

/**
 * A field for code and for text with expressions. Undo is the flow's, not the field's; for `data` it is the field's.
 */
export function CodeEditor({
  value,
  onChange,
  language,
  label,
  describedBy,
  placeholder,
  invalid = false,
  lines = 1,
  autoFocus = false,
}: CodeEditorProps) {
  const form = useForm();
  const nonce = useMantineStyleNonce()?.();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  /** The values that the editor's callbacks use, so that the editor is created once. */
  const latest = useRef({ onChange, form });
  latest.current = { onChange, form };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; what changes is read through `latest`
  useEffect(() => {
    if (host.current === null) return;
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          nonce === undefined ? [] : EditorView.cspNonce.of(nonce),
          ...behaviour(language, () => latest.current.form),
          EditorState.readOnly.of(form.readOnly),
          EditorView.contentAttributes.of({
            "aria-label": label,
            ...(describedBy && { "aria-describedby": describedBy }),
          }),
          placeholder === undefined ? [] : placeholderText(placeholder),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((step) => step.isUserEvent("outside"))) {
              latest.current.onChange(update.state.doc.toString());
            }
          }),
          EditorView.domEventHandlers({
            blur: () => latest.current.form.onLeave(),
            focus: (_, focused) =>
              latest.current.form.onCode?.((path) => insertPath(focused, path, dropLanguageOf(language))),
          }),
        ],
      }),
    });
    view.current = made;
    if (autoFocus) {
      made.dispatch({ selection: { anchor: value === emptyExpression ? withinBraces : value.length } });
      made.focus();
    }
    return () => {
      made.destroy();
      view.current = null;
    };
  }, [language, label, describedBy, placeholder]);

  useEffect(() => {
    const current = view.current;
    if (current === null || current.state.doc.toString() === value) return;
    const changes = differenceOf(current.state.doc.toString(), value);
    const selection = value === emptyExpression ? { selection: { anchor: withinBraces } } : {};
    current.dispatch({ changes, ...selection, userEvent: "outside" });
  }, [value]);

  return (
    <div
      ref={host}
      className={styles.editor}
      data-invalid={invalid || undefined}
      style={{ minHeight: `${lines * 19.2 + 12}px` }}
    />
  );
}

/** The part of a text that differs, so that the caret keeps its place in the rest. */
export function differenceOf(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < most - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

/** Without the key that runs the flow: it would insert a blank line as well. */
const textKeys = defaultKeymap.filter(({ key }) => key !== "Mod-Enter");

/** Plain JSON outside of a flow: no expressions, and its own undo. */
const plainData: Extension[] = [
  ...codeTheme,
  EditorView.lineWrapping,
  drawSelection(),
  closeBrackets(),
  bracketMatching(),
  json(),
  history(),
  keymap.of([...closeBracketsKeymap, ...historyKeymap, ...textKeys]),
];

/** Popups at the caret keep this distance from the screen's edges. */
const edgePx = 8;
const withinTheScreen = tooltips({
  tooltipSpace: ({ dom: { ownerDocument } }) => {
    const { clientWidth, clientHeight } = ownerDocument.documentElement;
    return { left: edgePx, top: edgePx, right: clientWidth - edgePx, bottom: clientHeight - edgePx };
  },
});

function dropLanguageOf(language: CodeLanguage): DropLanguage {
  return language === "template" || language === "json" ? language : "expression";
}

function behaviour(language: CodeLanguage, form: () => FormContextValue): Extension[] {
  if (language === "data") return plainData;
  const isTemplate = language === "template" || language === "json";
  const isInside = (text: string, at: number) =>
    !isTemplate || templateRanges(text).some(({ from, to }) => at > from + 1 && at <= to);
  const nameOf = (id: string) => form().scope.nodeNames.get(id);
  const run = (command: "onUndo" | "onRedo") => () => {
    form()[command]();
    return true;
  };
  return [
    ...codeTheme,
    EditorView.lineWrapping,
    drawSelection(),
    dropCursor(),
    closeBrackets(),
    bracketMatching(),
    language === "template" ? [] : language === "json" ? json() : javascript(),
    language === "code" ? [] : expressionMarks(isTemplate, nameOf),
    autocompletion({
      override: [completeExpression(() => form().scope, isInside)],
      icons: false,
      activateOnTyping: true,
    }),
    withinTheScreen,
    dropPath(dropLanguageOf(language)),
    keymap.of([
      { key: "Mod-z", run: run("onUndo"), preventDefault: true },
      { key: "Mod-Shift-z", run: run("onRedo"), preventDefault: true },
      { key: "Mod-y", run: run("onRedo"), preventDefault: true },
      { key: "Tab", run: acceptCompletion },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...textKeys,
      ...(language === "code" ? [indentWithTab] : []),
    ]),
  ];
}
