import * as vscode from 'vscode';
import { parseSelection } from '../../app/viewModel/taskSelection';
import { isProblem } from '../../domain/problem';
import { DEFAULT_OPTIONS, GROUPINGS, type TreeOptions } from '../tree/rows/treeOptions';

const GROUPING = 'claudeQueue.grouping';
const FILTER = 'claudeQueue.filter';

/** The user's choices for the tree, which last for the workspace. */
export class TreeChoices implements vscode.Disposable {
  private current: TreeOptions;
  private readonly changed = new vscode.EventEmitter<TreeOptions>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly memory: vscode.Memento) {
    const grouping = GROUPINGS.find((each) => each === memory.get(GROUPING));
    this.current = {
      ...DEFAULT_OPTIONS,
      filter: readFilter(memory.get(FILTER)),
      ...(grouping === undefined ? {} : { grouping }),
    };
  }

  get options(): TreeOptions {
    return this.current;
  }

  /** Replaces some of the choices. */
  async set(options: Partial<TreeOptions>): Promise<void> {
    this.current = { ...this.current, ...options };
    this.changed.fire(this.current);
    await this.memory.update(GROUPING, this.current.grouping);
    await this.memory.update(FILTER, this.current.filter);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** Returns the remembered filter; empty if this version does not know its words. */
function readFilter(remembered: unknown): string {
  if (typeof remembered !== 'string') return '';
  try {
    parseSelection(remembered);
    return remembered;
  } catch (error) {
    if (isProblem(error, 'usage')) return '';
    throw error;
  }
}
