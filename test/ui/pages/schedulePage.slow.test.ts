import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { CRONTAB, installProgram, MANAGER } from '../../support/machine/schedulers';
import { fillIn } from '../window/clicks';
import { PageView, THEMES } from '../window/pageView';
import { openWorkbench } from '../window/workbench';
import type { Workbench } from '../window/workbench';

/** A shell that reads no profile: a profile would set another PATH. */
function installShell(file: string): void {
  writeFileSync(file, '#!/bin/sh\nfor last; do :; done\nexec /bin/sh -c "$last"\n');
  chmodSync(file, 0o700);
}

describe('The page of the schedule', () => {
  let programs: string;
  let table: string;
  let editor: Workbench;
  let view: PageView;

  before(async () => {
    programs = mkdtempSync(join(tmpdir(), 'cq-programs-'));
    table = join(programs, 'table');
    installProgram(programs, 'crontab', CRONTAB);
    installProgram(programs, 'systemctl', MANAGER);
    installShell(join(programs, 'shell'));
    editor = await openWorkbench({
      rows: [{ id: 1, prompt: 'Count the stars' }],
      settings: { 'claudeQueue.permissionMode': 'acceptEdits' },
      env: {
        PATH: [programs, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
        SHELL: join(programs, 'shell'),
        TABLE: table,
        // The user's systemd does not answer.
        ASKED: join(programs, 'asked'),
        REFUSED: '--user',
      },
    });
    view = new PageView(editor);
    await editor.openView('Claude Queue');
    await editor.treeRow('Count the stars');
  });

  after(async () => {
    await editor.close();
    rmSync(programs, { recursive: true, force: true });
  });

  const lines = (): string[] =>
    existsSync(table)
      ? readFileSync(table, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : [];
  const preview = () => view.frame.locator('#preview');
  const times = () => view.frame.getByLabel('Start the worker');
  const button = (name: string) => view.frame.getByRole('button', { name });

  it('is reached from the menu of the status bar', async () => {
    await editor.runCommand('Claude Queue: Show Menu');
    await editor.pick('Schedule Worker');
    await view.sentence('No timer is installed for');
    await preview().getByText('1 task waits for approval').waitFor();
  });

  it('shows the line of the crontab before it is written', async () => {
    const line = preview().getByRole('region', { name: 'crontab' });
    await line.filter({ hasText: '*/30 * * * * PATH=' }).waitFor();
    await times().selectOption('every hour from 9 to 18, Monday to Friday');
    await line.filter({ hasText: /^0 9-18 \* \* 1-5 PATH=/ }).waitFor();
    assert.deepEqual(lines(), []);
    await editor.screenshot('schedule-page-1-none');
  });

  it('says what is wrong with a cron expression while it is typed', async () => {
    await times().selectOption('at the times of a cron expression');
    await preview().getByText('Type a cron expression').waitFor();
    await fillIn(view.frame.getByRole('textbox', { name: 'Cron expression' }), '61 4 * * *');
    await preview().getByText('"61 4 * * *" is not a valid cron expression').waitFor();
    assert.equal(await button('Install Timer').count(), 0);
    await fillIn(view.frame.getByRole('textbox', { name: 'Cron expression' }), '5 4 * * *');
    await preview().getByText('5 4 * * * PATH=').waitFor();
  });

  it('writes exactly what it showed, and says when the worker starts next', async () => {
    const shown = await preview().getByRole('region', { name: 'crontab' }).innerText();
    // Without the stand-in, the crontab of this machine would be changed.
    const [, folders = ''] = / PATH='([^']*)'/.exec(shown) ?? [];
    const owner = folders.split(delimiter).find((folder) => existsSync(join(folder, 'crontab')));
    assert.equal(owner, programs);
    await button('Install Timer').click();
    await view.sentence("Scheduled by crontab, by this machine's clock: 5 4 * * *.");
    assert.deepEqual(lines(), [shown.trim()]);
    assert.match(await view.frame.locator('main').innerText(), /Next start: (?:\d{4}-\d\d-\d\d )?04:05\./);
    await editor.screenshot('schedule-page-2-installed');
  });

  it('starts the command of this extension, at a place that stays after an update', () => {
    const [, command = ''] = /'([^']+\/bin\/claude-queue)' '--queue'/.exec(lines().join('\n')) ?? [];
    assert.match(command, /globalStorage/);
    assert.match(execFileSync(command, ['--version'], { env: {}, encoding: 'utf8' }), /^\d+\.\d+\.\d+/);
  });

  it('replaces the timer by another one', async () => {
    await times().selectOption('every 15m');
    await preview().getByText('*/15 * * * * PATH=').waitFor();
    await button('Replace Timer').click();
    await view.sentence('*/15 * * * *.');
    assert.equal(lines().length, 1);
    assert.match(lines()[0] ?? '', /^\*\/15 /);
  });

  it('opens the log of scheduled workers', async () => {
    await view.frame.getByRole('button', { name: /schedules\/.*\.log$/ }).click();
    await editor.page.locator('.tab.active').filter({ hasText: '.log' }).waitFor();
    await editor.runCommand('Claude Queue: Schedule Worker');
    await view.sentence('*/15 * * * *.');
  });

  for (const [theme, name] of THEMES)
    it(`is drawn in ${theme}`, async () => {
      await view.setTheme(theme);
      await editor.screenshot(`schedule-page-3-${name}`);
    });

  it('removes the timer', async () => {
    await button('Remove Timer').click();
    await view.sentence('No timer is installed for');
    await view.frame.getByText('(was: crontab)').waitFor();
    assert.deepEqual(lines(), []);
  });
});
