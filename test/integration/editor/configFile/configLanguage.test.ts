import assert from 'node:assert/strict';
import Module from 'node:module';
import { Emitter } from '../../../support/editor/fakeEditor';
import { until } from '../../../support/until';

const never = (): object => ({ dispose: () => undefined });

const FILE = '/car/claude_queue/config.yaml';

/** Settings file that is open since the window started. */
const document = {
  uri: { scheme: 'file', path: FILE, fsPath: FILE },
  version: 1,
  isClosed: false,
  getText: () => 'maxPerHuor: 5\n',
  positionAt: (offset: number) => offset,
};

/** Messages in the list of problems, by file. */
const problems = new Map<string, readonly string[]>();

interface Uri {
  readonly fsPath: string;
}

/** The parts of VS Code that settings files need. */
const vscode = {
  CodeActionKind: { QuickFix: 'quickfix' },
  Diagnostic: class {
    constructor(
      readonly range: object,
      readonly message: string,
    ) {}
  },
  DiagnosticSeverity: { Error: 0 },
  Disposable: { from: never },
  Range: class {
    constructor(readonly start: number) {}
  },
  languages: {
    registerCompletionItemProvider: never,
    registerHoverProvider: never,
    registerCodeActionsProvider: never,
    createDiagnosticCollection: () => ({
      set: ({ fsPath }: Uri, found: readonly { readonly message: string }[]) =>
        problems.set(
          fsPath,
          found.map(({ message }) => message),
        ),
      has: ({ fsPath }: Uri) => problems.has(fsPath),
      delete: ({ fsPath }: Uri) => problems.delete(fsPath),
    }),
  },
  workspace: {
    textDocuments: [document],
    onDidOpenTextDocument: never,
    onDidChangeTextDocument: never,
    onDidCloseTextDocument: never,
  },
};

type Load = (request: string, ...rest: unknown[]) => unknown;
const loader = Module as unknown as { _load: Load };

async function loadLanguage() {
  const real = loader._load;
  loader._load = (request, ...rest) => (request === 'vscode' ? vscode : real(request, ...rest));
  try {
    return await import('../../../../src/editor/configFile/configLanguage');
  } finally {
    loader._load = real;
  }
}

describe('The problems of a settings file that is open', () => {
  it('come and go with its folder, also if the file was open before', async () => {
    const { createConfigLanguage } = await loadLanguage();
    const changed = new Emitter<'list'>();
    let queueFiles: string[] = [];
    createConfigLanguage({
      settings: { environment: () => ({ HOME: '/home/ken' }) },
      queueFiles: () => queueFiles,
      onDidChangeQueues: changed.event,
    } as never);
    queueFiles = ['/car/claude_queue/prompts.csv'];
    changed.fire('list');
    await until('the problem is listed', () => problems.get(FILE)?.length === 1);
    queueFiles = [];
    changed.fire('list');
    assert.equal(problems.has(FILE), false);
  });
});
