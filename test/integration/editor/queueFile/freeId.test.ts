import assert from 'node:assert/strict';
import Module from 'node:module';
import { paint, ready } from '../../../support/queue/viewModels';

const FILE = '/car/claude_queue/prompts.csv';

class Range {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };

  constructor(line: number, character: number, endLine: number, endCharacter: number) {
    this.start = { line, character };
    this.end = { line: endLine, character: endCharacter };
  }

  intersection(): this {
    return this;
  }
}

interface Provider {
  provideCodeActions(document: object, range: Range, context: object): Promise<readonly { title: string }[]>;
}

const providers: Provider[] = [];

/** The parts of VS Code that quick fixes need. */
const vscode = {
  CodeAction: class {
    constructor(readonly title: string) {}
  },
  CodeActionKind: { QuickFix: 'quickfix' },
  Disposable: { from: () => ({ dispose: () => undefined }) },
  Range,
  WorkspaceEdit: class {
    readonly replace = (): void => undefined;
  },
  languages: {
    registerCodeActionsProvider: (_: object, provider: Provider) => providers.push(provider),
  },
  workspace: { isTrusted: false },
};

type Load = (request: string, ...rest: unknown[]) => unknown;
const loader = Module as unknown as { _load: Load };

async function loadFixes() {
  const real = loader._load;
  loader._load = (request, ...rest) => (request === 'vscode' ? vscode : real(request, ...rest));
  try {
    await import('../../../../src/editor/queueFile/findContext');
    return await import('../../../../src/editor/queueFile/fixes/fixProvider');
  } finally {
    loader._load = real;
  }
}

describe('The fix for a double id', () => {
  it('gives no id of a removed task that has run: the row would have its history', async () => {
    const { createFixes } = await loadFixes();
    const ran = [3, 4];
    let reads = 0;
    const session = {
      queueContext: {
        rowContext: () => ({ timeZone: 'UTC', folder: '/car', home: '/home/ken', allowBypass: false }),
        moment: () => ({ now: 0, timeZone: 'UTC' }),
      },
      queue: {
        attempts: ({ id }: { id?: number }) => {
          reads += 1;
          return Promise.resolve(ran.filter((one) => one === (id ?? one)).map((one) => ({ id: one })));
        },
      },
      use: (work: () => unknown) => work(),
    };
    const queueModel = { state: ready(paint([{}, {}])), useQueue: () => Promise.resolve(session) };
    createFixes({ queueModel, queueFile: FILE, key: 'car' } as never);
    const document = {
      uri: { scheme: 'file', fsPath: FILE },
      ...{ version: 1, isClosed: false, isDirty: true },
      getText: () => 'id,working_dir,prompt\n1,.,Wash\n2,.,Dry\n2,.,Wax\n',
    };
    const found = await providers[0]?.provideCodeActions(document, new Range(3, 0, 3, 0), {
      diagnostics: [],
    });
    assert.deepEqual(
      found?.map(({ title }) => title),
      ['Change id to "5"'],
    );
    assert.equal(reads, 1, 'one read of the history, however many removed tasks have run');
  });
});
