import * as vscode from 'vscode';
import type { InteractiveAttempt } from '../../app/actions/attempts/interactiveAttempt';
import type { Claim } from '../../domain/queue/view';
import { t } from '../../platform/text/translate';

/** Key under which the workspace remembers its open runs, across reloads of the window. */
const MEMORY = 'interactiveRuns';

/** Maximum number of remembered runs; older ones have long ended. */
const MOST_REMEMBERED = 50;

/** Terminals whose own process is `claude`. */
export class InteractiveTerminals {
  constructor(private readonly memory: vscode.Memento) {}

  /** Opens the terminal of a run. */
  open({ definition, place, program, start, isApproved }: InteractiveAttempt): vscode.Terminal {
    const { id } = definition;
    const terminal = vscode.window.createTerminal({
      name: isApproved ? t('Task {0}', id) : t('Task {0} (not approved)', id),
      shellPath: program,
      shellArgs: [...start.args],
      cwd: place.folder,
      env: { ...start.env },
      iconPath: new vscode.ThemeIcon('account'),
    });
    terminal.show();
    return terminal;
  }

  /** Remembers that this workspace has the run's terminal, and so asks for the result. */
  async remember({ mark }: Claim): Promise<void> {
    await this.memory.update(MEMORY, [...this.marks, mark].slice(-MOST_REMEMBERED));
  }

  /** Forgets a run; returns whether it was remembered. */
  async forget({ mark }: Claim): Promise<boolean> {
    const { marks } = this;
    if (!marks.includes(mark)) return false;
    await this.memory.update(
      MEMORY,
      marks.filter((known) => known !== mark),
    );
    return true;
  }

  private get marks(): readonly string[] {
    return this.memory.get<readonly string[]>(MEMORY) ?? [];
  }
}
