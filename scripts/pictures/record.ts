import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { report } from '../../test/support/claude/reports';
import { limit, tool } from '../../test/support/claude/replies';
import type { Reply } from '../../test/support/claude/replies';
import { isAbout } from '../../test/support/queue/queuePlace';
import type { Turn } from '../../test/support/claude/turn';
import { until } from '../../test/support/until';
import { WithheldAnswers } from '../../test/ui/window/heldAnswers';
import { QueueEditor } from '../../test/ui/window/queueEditor';
import { openWorkbench } from '../../test/ui/window/workbench';
import type { Workbench } from '../../test/ui/window/workbench';

const FRAMES = resolve(__dirname, '../../.vscode-test/pictures');

const SIZE = { width: 960, height: 600 };
const SIDE_BAR_WIDTH = 300;
const COUNTED_DOWN = 4;
const PATIENCE_MS = 60_000;

/** Only what the story is about. */
const SETTINGS = {
  'breadcrumbs.enabled': false,
  'claudeQueue.permissionMode': 'acceptEdits',
  'editor.fontSize': 13,
  'editor.minimap.enabled': false,
  'files.autoSave': 'off',
  'editor.renderLineHighlight': 'none',
  'editor.occurrencesHighlight': 'off',
  'editor.scrollbar.horizontal': 'hidden',
  'editor.scrollbar.vertical': 'hidden',
  'terminal.integrated.fontSize': 12,
  'terminal.integrated.tabs.showActiveTerminal': 'never',
  'window.commandCenter': false,
  'workbench.layoutControl.enabled': false,
  'window.menuBarVisibility': 'hidden',
};

const SLOW = 'Add tests for the parser';
const NEW_ROW = '4,low,.,Look through new issues,pending,,,yes,daily,0,3';
const ROWS = [
  { id: 1, priority: 'high', prompt: 'Bring the README up to date' },
  { id: 2, prompt: SLOW },
  { id: 3, prompt: 'Write the release notes', dependencies: '1|2' },
];

/** Claude, who writes the tests, meets the 5-hour limit once in the middle of it, and reports that it finished. */
class Claude {
  private readonly held = new WithheldAnswers(['README', SLOW]);
  private isLimited = false;

  readonly respond = async (turn: Turn): Promise<Reply> => {
    if (turn.toolResults === 0) {
      const file = isAbout(turn, SLOW) ? 'test/parser.test.ts' : 'notes.md';
      return tool('Write', { file_path: file, content: 'Written.\n' });
    }
    await this.held.respond(turn);
    if (isAbout(turn, SLOW) && !this.isLimited) {
      this.isLimited = true;
      return limit({ kind: 'five_hour', resetInSeconds: 20 });
    }
    return report(turn, 'Done, and checked.', 'finished', 'Everything is done.');
  };

  resume(prompt: string): void {
    this.held.give(prompt);
  }
}

/** The frames of the moving picture, as files, with how long each is shown. */
class Film {
  private readonly frames: { readonly name: string; readonly ms: number }[] = [];

  constructor(private readonly editor: Workbench) {
    rmSync(FRAMES, { recursive: true, force: true });
    mkdirSync(FRAMES, { recursive: true });
  }

  async take(ms: number, name = String(this.frames.length)): Promise<void> {
    await this.editor.page.screenshot({ path: join(FRAMES, `${name}.png`) });
    this.frames.push({ name: `${name}.png`, ms });
  }

  /** Writes the order of the frames beside them. */
  end(): void {
    writeFileSync(join(FRAMES, 'frames.json'), JSON.stringify(this.frames));
  }
}

describe('The pictures of the README', () => {
  const claude = new Claude();
  let editor: Workbench;
  let film: Film;

  before(async () => {
    editor = await openWorkbench({ rows: ROWS, respond: claude.respond, settings: SETTINGS });
    await editor.page.setViewportSize(SIZE);
    editor.page.setDefaultTimeout(PATIENCE_MS);
    film = new Film(editor);
  });

  after(() => editor.close());

  it('a row is typed', async () => {
    await editor.openView('Claude Queue');
    await editor.treeRow('release notes');
    await dragSideBar(editor);
    const queue = new QueueEditor(editor, join(editor.folder, 'claude_queue', 'prompts.csv'));
    await queue.open('release notes');
    await editor.lenses((all) => all.length > 0);
    await restMouse(editor);
    await film.take(1_500);
    await queue.typeRow(NEW_ROW);
    await film.take(1_000);
    await queue.save();
    await editor.treeRow('new issues');
    await film.take(1_500);
  });

  it('Start lists it', async () => {
    await editor.pressViewButton('Start');
    await editor.quickInput('Start: ');
    await restMouse(editor);
    await film.take(2_500, 'start');
    await editor.pick('Approve and start');
  });

  it('Claude works', async () => {
    await editor.terminalShows(/Task\s1,/);
    await editor.treeRow('Running');
    await restMouse(editor);
    await film.take(2_000);
    claude.resume('README');
    await editor.terminalShows(/Task\s2,/);
    await editor.treeRow(/Done\s*1/);
    await editor.lenses(([first = '']) => first.includes('Completed'));
    await film.take(2_000);
  });

  it('the limit is counted down', async () => {
    claude.resume(SLOW);
    await editor.treeRow('Usage limit');
    for (let shown = '', frame = 0; frame < COUNTED_DOWN; frame += 1) {
      shown = await until('the status bar counts down', async () => {
        const text = await editor.statusBar('Limit');
        return text === shown ? null : text;
      });
      await film.take(1_000);
    }
  });

  it('the task resumes', async () => {
    await editor.terminalShows(/Task\s2,\sattempt\s2/);
    await editor.treeRow('Running');
    await film.take(2_000);
  });

  it('all is done', async () => {
    await editor.treeRow(/Done\s*3/);
    await editor.terminalShows(/Task\s4\ssucceeded/);
    await editor.treeRow(/Waiting\s*1/);
    await editor.lenses((all) => all.every((lens) => !lens.includes('Running')));
    await editor.expand('Done');
    await film.take(4_000);
    film.end();
  });
});

async function dragSideBar(editor: Workbench): Promise<void> {
  const box = await editor.page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('There is no side bar.');
  const y = SIZE.height / 2;
  await editor.page.mouse.move(box.x + box.width, y);
  await editor.page.mouse.down();
  await editor.page.mouse.move(box.x + SIDE_BAR_WIDTH, y, { steps: 5 });
  await editor.page.mouse.up();
}

/** Nothing is under the mouse that shows more for it. */
async function restMouse(editor: Workbench): Promise<void> {
  await editor.page.mouse.move(SIZE.width - 60, SIZE.height - 120);
}
