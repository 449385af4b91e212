import assert from 'node:assert/strict';
import Module from 'node:module';

interface Problem {
  readonly source?: string;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
}

interface Provider {
  provideCodeActions(
    document: { readonly uri: object },
    range: null,
    context: { readonly diagnostics: readonly Problem[] },
  ): readonly { readonly title: string; readonly diagnostics: readonly Problem[] }[];
}

let provider: Provider | undefined;

/** The parts of VS Code that the quick fix needs. */
const vscode = {
  workspace: { isTrusted: true },
  CodeActionKind: { QuickFix: 'quickfix' },
  CodeAction: class {
    constructor(readonly title: string) {}
  },
  languages: {
    registerCodeActionsProvider: (_: object, registered: Provider) => (provider = registered),
  },
};

type Load = (request: string, ...rest: unknown[]) => unknown;
const loader = Module as unknown as { _load: Load };

describe('Add to Claude Queue at a problem', () => {
  before(async () => {
    const real = loader._load;
    loader._load = (request, ...rest) => (request === 'vscode' ? vscode : real(request, ...rest));
    try {
      const { createProblemActions } = await import('../../../../src/editor/form/problemActions');
      createProblemActions(() => []);
    } finally {
      loader._load = real;
    }
  });

  it('is not offered for an invalid setting of the queue, until whose fix no task starts', () => {
    const problem: Problem = { source: 'ts', message: 'Unused.', range: { start: { line: 0 } } };
    const context = { diagnostics: [{ ...problem, source: 'Claude Queue' }, problem] };
    const offered = provider?.provideCodeActions({ uri: {} }, null, context) ?? [];
    assert.deepEqual(
      offered.map(({ title, diagnostics }) => [title, diagnostics]),
      [['Add to Claude Queue…', [problem]]],
    );
  });
});
