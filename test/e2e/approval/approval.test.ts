import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI } from '../../support/machine/cli';
import { isAbout, openPlace } from '../../support/queue/queuePlace';
import { limit, text, tool } from '../../support/claude/replies';
import { composeCsv } from '../../support/queue/rows';

describe('Approval', () => {
  it('is needed before a row runs, again after its prompt changed, and not for a trusted file', async () => {
    const place = await openPlace();
    const { queue } = place;
    queue.write([
      { id: 1, prompt: 'From somebody' },
      { id: 2, prompt: 'From somebody else' },
    ]);
    const refused = await queue.run('run');
    assert.equal(refused.code, 4);
    assert.match(refused.stdout, /approv/);
    assert.equal((await queue.task(1)).shown, 'unapproved');

    const listed = await queue.run('approve');
    assert.match(listed.stdout, /\b1\b[^]*From somebody\n[^]*\b2\b[^]*From somebody else\n/);
    assert.match((await queue.approve('1')).stdout, /Approved 1 task\./);
    writeFileSync(queue.file, queue.read().replace('From somebody,', 'From somebody worse,'));
    assert.equal((await queue.run('run')).code, 4);
    assert.equal((await queue.approve('1')).code, 0);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.deepEqual(place.reported(), ['From somebody worse']);

    assert.equal((await queue.run('trust')).code, 0);
    writeFileSync(queue.file, `${queue.read()}3,low,.,From anybody,pending,,,no,,0,3\n`);
    assert.equal((await queue.run('work --until-empty')).code, 0);
    assert.deepEqual(place.reported().slice(1), ['From somebody else', 'From anybody']);
  });

  it('comes with "add", for exactly the added row', async () => {
    const place = await openPlace();
    const { queue } = place;
    assert.equal((await queue.run('init')).code, 0);
    const prompt = '--help me, "please", $(rm -rf /)\nand `thank you`, おはよう';
    assert.equal((await queue.run(['add', '--priority', 'high', '--', prompt])).code, 0);
    assert.equal((await queue.run('run')).code, 0);
    assert.deepEqual(
      place.api.turns().map((turn) => turn.userTexts),
      [[prompt]],
    );
  });

  it('cannot be given by a task to itself or to other tasks', async () => {
    const powers = ['approve --all', 'trust', 'add more', 'accept 3', 'retry 3', 'cancel 3', 'resume'];
    const ends = [
      'next',
      'done 2',
      'fail 2',
      'release 2',
      'hold',
      'stop',
      'reset',
      'run',
      'work --until-empty',
    ];
    const commands = [...powers, ...ends];
    const disguises = [
      '',
      'env -u CLAUDE_QUEUE_RUN',
      'setsid --wait env -u CLAUDE_QUEUE_RUN',
      'nohup env -u CLAUDE_QUEUE_RUN',
    ];
    const calls = [
      ...commands.map((command) => `node ${CLI} ${command}`),
      ...commands.map((command) => `env -u CLAUDE_QUEUE_RUN node ${CLI} ${command}`),
      ...disguises.map((disguise) => `${disguise} node ${CLI} approve 2`),
      // In the background, with nobody but the shell above it.
      'sh background.sh',
    ];
    const place = await openPlace({
      respond: (turn) =>
        !isAbout(turn, 'Help yourself') || turn.toolResults > 0
          ? text('Done.')
          : tool('Bash', { command: 'sh try.sh', timeout: 600_000 }),
    });
    const { queue } = place;
    const script = calls.map((call) => `${call} >> answers 2>&1; echo $? >> codes`);
    writeFileSync(join(queue.folder, 'try.sh'), script.join('\n'));
    writeFileSync(
      join(queue.folder, 'background.sh'),
      `(nohup setsid env -u CLAUDE_QUEUE_RUN node ${CLI} approve 2; echo $? > code) & wait; exit "$(cat code)"`,
    );
    const own = { id: 1, prompt: 'Help yourself', allowed_tools: 'Bash' };
    queue.write([own, { id: 2, prompt: 'Never approved' }, { id: 3, prompt: 'Looked at', status: 'review' }]);
    await queue.approve('1');
    const { code, stdout } = await queue.run('work --until-empty');
    assert.equal(code, 0, stdout);

    const codes = readFileSync(join(queue.folder, 'codes'), 'utf8').trim().split('\n');
    const answers = readFileSync(join(queue.folder, 'answers'), 'utf8');
    assert.deepEqual(
      codes,
      calls.map(() => '1'),
      answers,
    );
    assert.equal(answers.match(/A running task may not/g)?.length, calls.length, answers);
    const { tasks } = await queue.status();
    assert.deepEqual(
      tasks.map(({ shown }) => shown),
      ['completed', 'unapproved', 'review'],
    );
    assert.equal(place.turnsOf('Never approved').length, 0);
  });

  it('cannot be written by a task into the files of approvals and settings', async () => {
    const place = await openPlace({
      respond: (turn) =>
        [
          tool('Write', { file_path: forged[0] ?? '', content: '{}' }),
          tool('Bash', { command: `mkdir -p ${home}/.local && echo '{}' > ${forged[1] ?? ''}` }),
          tool('Write', { file_path: join(home, 'mine.txt'), content: 'ok' }),
        ][turn.toolResults] ?? text('Done.'),
    });
    const { queue } = place;
    const home = queue.env['HOME'] ?? '';
    const forged = [
      '.config/claude-queue/config.yaml',
      '.local/state/claude-queue/approvals/forged.json',
    ].map((name) => join(home, name));
    await queue.trust([{ id: 1, prompt: 'Tidy my home', working_dir: home }]);
    const { stdout } = await queue.run('run');
    assert.match(stdout, /ended: review \(denied\)/);
    assert.deepEqual(
      forged.map((file) => existsSync(file)),
      [false, false],
    );
    assert.equal(existsSync(join(home, 'mine.txt')), true);
  });

  it('lets a task with acceptEdits delete in its folder only, as the text of this mode says', async () => {
    const commands = ['rm -rf build', 'rm -rf ../other', 'node -e 1'];
    const { queue } = await openPlace({
      respond: ({ toolResults }) => {
        const command = commands[toolResults];
        return command === undefined ? text('Done.') : tool('Bash', { command, description: 'try' });
      },
    });
    const folders = ['build', '../other'].map((name) => join(queue.folder, name));
    for (const folder of folders) mkdirSync(folder);
    await queue.trust([{ id: 1, prompt: 'Tidy up', permission_mode: 'acceptEdits' }]);
    const { stdout } = await queue.run('run');
    assert.match(stdout, /refused 2 actions: Bash rm -rf \.\.\/other, Bash node -e 1\./);
    assert.deepEqual(folders.map(existsSync), [false, true]);
  });

  it('does not let a task write into its own queue folder: it goes to review', async () => {
    const { queue } = await openPlace({
      respond: (turn) =>
        turn.toolResults > 0
          ? text('Done.')
          : tool('Write', {
              file_path: join(queue.folder, 'claude_queue', 'state', 'note'),
              content: 'Approved!',
            }),
    });
    await queue.trust([
      { id: 1, prompt: 'Write it', permission_mode: 'acceptEdits', allowed_tools: 'Write' },
    ]);
    const { code, stdout } = await queue.run('run');
    assert.equal(code, 0);
    assert.match(stdout, /ended: review \(denied\)/);
    assert.equal(existsSync(join(queue.state, 'note')), false);
  });
});

describe('Running one task by its id', () => {
  it('overrides order, time and a pause', async () => {
    const place = await openPlace();
    const { queue } = place;
    await queue.trust([
      { id: 1, prompt: 'First', priority: 'critical' },
      { id: 2, prompt: 'Later', priority: 'low', scheduled_time: '2099-01-01 00:00' },
    ]);
    assert.equal((await queue.run(['hold', 'a look at it'])).code, 0);
    const held = await queue.run('run');
    assert.deepEqual(
      [held.code, held.stdout.includes('the queue is paused (a look at it)')],
      [4, true],
      held.stdout,
    );
    assert.equal((await queue.run('run --id 2')).code, 0);
    assert.deepEqual(place.reported(), ['Later']);
    assert.equal((await queue.status()).hold, 'a look at it');
  });

  it('overrides neither approval nor a dependency nor the gate', async () => {
    const place = await openPlace({ respond: () => limit({ kind: 'five_hour', resetInSeconds: 600 }) });
    const { queue } = place;
    writeFileSync(
      queue.file,
      composeCsv([
        { id: 1, prompt: 'First' },
        { id: 2, prompt: 'Second', dependencies: 1 },
        { id: 3, prompt: 'Third' },
        { id: 4, prompt: 'Fourth' },
      ]),
    );
    await queue.approve('1 2 4');
    const [unapproved, early, unknown] = await Promise.all(
      [3, 2, 9].map((id) => queue.run(`run --id ${id}`)),
    );
    assert.deepEqual([unapproved?.code, early?.code], [4, 4]);
    assert.match(unapproved?.stdout ?? '', /approv/);
    assert.match(early?.stdout ?? '', /waits for 1\b/);
    assert.notEqual(unknown?.code, 0);
    assert.equal((await queue.run('run --id 1')).code, 2);
    const gated = await queue.run('run --id 4');
    assert.deepEqual([gated.code, place.api.turns().length], [2, 1], gated.stdout);
  });
});
