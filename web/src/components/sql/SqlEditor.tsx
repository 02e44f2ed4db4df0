import { autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { PostgreSQL, sql, type SQLNamespace } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import Box from '@mui/material/Box';
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import { useDark } from '../../hooks/useDark';
import { darkCode, lightCode } from '../../theme/codeThemes';
import type { Offer, SqlNames } from '../../utils/sqlCompletion';

export interface EditorHandle {
  focus: () => void;
  /** Replaces the text; Ctrl+Z brings the former one back. */
  replace: (text: string) => void;
  goTo: (offset: number) => void;
}

export interface EditorProblem {
  at: number;
  message: string;
}

interface SqlEditorProps {
  initial: string;
  names: SqlNames;
  problem: EditorProblem | null;
  onChange: (text: string) => void;
  onRun: () => void;
  ref?: Ref<EditorHandle>;
}

/** After these only tables fit. */
const TABLE_NEXT = /\b(?:from|join)\s+$/i;
const WORD = /[\w"]*$/;

const option = (offer: Offer) => ({ ...offer, type: offer.type === 'metric' ? 'constant' : offer.type });

/** Fields, metrics and functions, where no table is written before the word. */
function offersAt(offers: Offer[]) {
  const options = offers.map(option);
  return (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(WORD);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    const before = context.state.sliceDoc(Math.max(0, word.from - 12), word.from);
    if (before.endsWith('.') || TABLE_NEXT.test(before)) return null;
    return { from: word.from, options, validFor: /^[\w"]*$/ };
  };
}

/** {"sales.orders": …} as {sales: {orders: …}}: the form of the library. */
function namespaceOf(tables: SqlNames['tables']): SQLNamespace {
  const out: Record<string, SQLNamespace> = {};
  for (const [name, columns] of Object.entries(tables)) {
    const [schema, table] = name.split('.');
    const entry = columns.map(option);
    if (table === undefined) out[name] = entry;
    else out[schema!] = { ...(out[schema!] as Record<string, SQLNamespace> | undefined), [table]: entry };
  }
  return out;
}

function language(names: SqlNames): Extension {
  return [
    sql({ dialect: PostgreSQL, schema: namespaceOf(names.tables) }),
    PostgreSQL.language.data.of({ autocomplete: offersAt(names.offers) }),
  ];
}

/** The colors of all code of the page. */
function colors(dark: boolean): Extension {
  const theme = dark ? darkCode : lightCode;
  const { color: plain = '', backgroundColor: back = '' } = theme.plain;
  const color = (type: string) => theme.styles.find(({ types }) => types.includes(type))?.style.color ?? plain;
  const line = dark ? '#1b2826' : '#e4ecea';
  return [
    syntaxHighlighting(HighlightStyle.define([
      { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null], color: color('keyword') },
      { tag: [tags.string, tags.special(tags.string)], color: color('string') },
      { tag: tags.number, color: color('number') },
      { tag: [tags.typeName, tags.standard(tags.name)], color: color('function') },
      { tag: [tags.lineComment, tags.blockComment], color: color('comment'), fontStyle: 'italic' },
    ])),
    EditorView.theme({
      '&': { color: plain, backgroundColor: back, fontSize: '14px' },
      '.cm-content': { caretColor: plain, fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace' },
      '.cm-cursor': { borderLeftColor: plain },
      '.cm-gutters': { backgroundColor: back, color: color('comment'), border: 'none' },
      '.cm-activeLine': { backgroundColor: line },
      '.cm-placeholder': { color: color('comment') },
      '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: dark ? '#2f4f4a' : '#b9d8d3' },
      '.cm-tooltip': { backgroundColor: back, color: plain, border: `1px solid ${color('comment')}` },
      '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: dark ? '#2f4f4a' : '#0f766e', color: dark ? plain : '#fff' },
      '.cm-completionInfo': { maxWidth: '320px', whiteSpace: 'pre-wrap' },
      '&.cm-focused': { outline: 'none' },
    }, { dark }),
  ];
}

function fixed(onChange: (text: string) => void, onRun: () => void): Extension {
  const run = (view: EditorView) => {
    closeCompletion(view);
    onRun();
    return true;
  };
  return [
    lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
    lintGutter(), autocompletion({ icons: false }), EditorView.lineWrapping, placeholder('select …'),
    // Also names that are still being looked for: they would open over an editor that has lost the focus.
    EditorView.domEventHandlers({ blur: (_event, view) => void closeCompletion(view) }),
    EditorState.phrases.of({ Completions: 'Names and functions' }),
    EditorView.contentAttributes.of({ 'aria-label': 'SQL' }),
    keymap.of([{ key: 'Ctrl-Enter', mac: 'Cmd-Enter', run }]),
    // Tab leaves the editor, as it leaves any field.
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...completionKeymap]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
  ];
}

/** The SQL of a person, with colors, completion and the place of an error. */
export default function SqlEditor({ initial, names, problem, onChange, onRun, ref }: SqlEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const parts = useRef({ theme: new Compartment(), language: new Compartment() });
  const acts = useRef({ onChange, onRun });
  const dark = useDark();
  const first = useRef({ initial, names, dark });
  useEffect(() => {
    acts.current = { onChange, onRun };
  });
  useEffect(() => {
    const { theme, language: names_ } = parts.current;
    const made = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        doc: first.current.initial,
        extensions: [
          // Before the default keys, which give Ctrl+Enter another meaning.
          fixed((text) => acts.current.onChange(text), () => acts.current.onRun()),
          theme.of(colors(first.current.dark)), names_.of(language(first.current.names)),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => view.current?.dispatch({ effects: parts.current.theme.reconfigure(colors(dark)) }), [dark]);
  useEffect(() => view.current?.dispatch({ effects: parts.current.language.reconfigure(language(names)) }), [names]);
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const end = editor.state.doc.length;
    const from = Math.min(problem?.at ?? 0, end);
    const word = editor.state.wordAt(from);
    const diagnostics = problem
      ? [{ from, to: word && word.to > from ? word.to : Math.min(from + 1, end), severity: 'error' as const, message: problem.message }]
      : [];
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [problem]);
  useImperativeHandle(ref, () => ({
    focus: () => view.current?.focus(),
    replace: (text) => {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text }, selection: { anchor: text.length } });
      editor.focus();
    },
    goTo: (offset) => {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch({ selection: { anchor: Math.min(offset, editor.state.doc.length) }, scrollIntoView: true });
      editor.focus();
    },
  }), []);
  return (
    <Box ref={box} sx={{
      border: 1, borderColor: 'divider', borderRadius: 1, '&:focus-within': { borderColor: 'primary.main' },
      '& .cm-editor': { borderRadius: 1, minHeight: 160, maxHeight: '45dvh' }, '& .cm-scroller': { minHeight: 160, overflow: 'auto' },
    }} />
  );
}
