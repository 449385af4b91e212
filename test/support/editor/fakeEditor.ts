import { EventEmitter } from 'node:events';
import Module from 'node:module';

/** Tab with a page, in place of one of VS Code. */
class FakePanel {
  /** Messages to the page. */
  readonly posted: Readonly<Record<string, unknown>>[] = [];
  private hear: (message: unknown) => Promise<void> = () => Promise.resolve();
  readonly webview = {
    html: '',
    postMessage: (message: Readonly<Record<string, unknown>>): Promise<boolean> => {
      this.posted.push(message);
      return Promise.resolve(true);
    },
    onDidReceiveMessage: (hear: (message: unknown) => Promise<void>): void => {
      this.hear = hear;
    },
  };
  title = '';
  readonly visible = true;
  readonly onDidDispose = never;
  readonly onDidChangeViewState = never;
  readonly reveal = (): void => undefined;
  readonly dispose = (): void => undefined;

  /** Sends a message of the page. Resolves once what it asks for has ended. */
  send(message: unknown): Promise<void> {
    return this.hear(message);
  }

  /** Presses a button of the page, or chooses a value of a field. */
  press(action: string, value = ''): Promise<void> {
    return this.send({ action, value, ticked: [] });
  }
}

const never = (): object => ({ dispose: () => undefined });

/** VS Code's emitter. */
export class Emitter<T> {
  private readonly events = new EventEmitter();
  readonly event = (listener: (value: T) => void): object => {
    this.events.on('change', listener);
    return { dispose: () => this.events.off('change', listener) };
  };

  fire(value: T): void {
    this.events.emit('change', value);
  }

  dispose(): void {
    this.events.removeAllListeners();
  }
}

/** Tabs that were opened. */
export const PANELS: FakePanel[] = [];

/** Commands that were called, with their first argument. */
export const CALLED: (readonly [name: string, target: unknown])[] = [];

/** Messages that were shown. None is answered. */
export const MESSAGES: string[] = [];

const showMessage = (message: string): Promise<undefined> => {
  MESSAGES.push(message);
  return Promise.resolve(undefined);
};

/** Labels of the items that were listed last. None is chosen. */
export const LISTED: string[] = [];

const showQuickPick = (items: readonly { readonly label: string }[]): Promise<undefined> => {
  LISTED.splice(0, LISTED.length, ...items.map(({ label }) => label));
  return Promise.resolve(undefined);
};

/** Part of a document that is open in an editor. */
interface FakeDocument {
  readonly isDirty?: boolean;
  readonly version?: number;
  readonly lineCount?: number;
  readonly getText?: () => string;
  readonly uri: {
    readonly scheme: string;
    readonly fsPath?: string;
    readonly authority?: string;
    readonly query?: string;
  };
}

/** Open documents. */
export const DOCUMENTS: FakeDocument[] = [];

/** Fires with each document that is opened. */
export const OPENED = new Emitter<FakeDocument>();

/** The active tab. */
export const ACTIVE_TAB = { label: '' };

class Position {
  constructor(readonly line: number) {}
}

class Range {
  constructor(readonly start: Position) {}
}

/** Lines that were selected in an editor, from 0. */
export const SELECTED: number[] = [];

/** The parts of VS Code that pages and commands need. One for all tests: a module keeps the one with which it was loaded. */
const vscode = {
  EventEmitter: Emitter,
  ...{ Position, Range },
  TextEditorRevealType: { InCenterIfOutsideViewport: 2 },
  ThemeIcon: class {
    constructor(readonly id: string) {}
  },
  CancellationError: class extends Error {},
  CommentMode: { Editing: 0, Preview: 1 },
  ViewColumn: { Active: -1 },
  Disposable: { from: never },
  commands: {
    executeCommand: (name: string, target: unknown): Promise<void> => {
      CALLED.push([name, target]);
      return Promise.resolve();
    },
  },
  window: {
    createWebviewPanel: (): FakePanel => {
      const panel = new FakePanel();
      PANELS.push(panel);
      return panel;
    },
    showTextDocument: (_: object, { selection }: { selection: Range }): Promise<object> => {
      SELECTED.push(selection.start.line);
      return Promise.resolve({ revealRange: () => undefined });
    },
    tabGroups: {
      all: [],
      activeTabGroup: { activeTab: ACTIVE_TAB },
      onDidChangeTabs: never,
      onDidChangeTabGroups: never,
    },
    onDidCloseTerminal: never,
    showQuickPick,
    showInformationMessage: showMessage,
    showWarningMessage: showMessage,
    showErrorMessage: showMessage,
  },
  workspace: {
    isTrusted: true,
    textDocuments: DOCUMENTS,
    onDidOpenTextDocument: OPENED.event,
    openTextDocument: (file: string): Promise<FakeDocument | undefined> =>
      Promise.resolve(DOCUMENTS.find(({ uri }) => uri.fsPath === file)),
  },
  extensions: { all: [], getExtension: () => undefined },
};

type Load = (request: string, ...rest: unknown[]) => unknown;
const loader = Module as unknown as { _load: Load };

/** Loads parts of the extension, with this in place of the editor. */
export async function loadInEditor<T>(load: () => Promise<T>): Promise<T> {
  const real = loader._load;
  loader._load = (request, ...rest) => (request === 'vscode' ? vscode : real(request, ...rest));
  try {
    return await load();
  } finally {
    loader._load = real;
  }
}
