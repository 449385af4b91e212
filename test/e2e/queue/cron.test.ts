import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUDE } from '../../support/claude/claudeHome';
import { CLI } from '../../support/machine/cli';
import { start } from '../../support/machine/processes';
import { openPlace, type Place } from '../../support/queue/queuePlace';
import { until } from '../../support/until';

/** Gives a program mounts of its own: the crontabs of this machine are not touched. */
const WITH_MOUNTS = ['unshare', '--mount', '--propagation', 'private'];

/** Where Debian's cron keeps crontabs and its process number. */
const SPOOL = '/var/spool/cron';

/** Debian's cron, as root, who may mount. */
function canRunCron(): boolean {
  const [command = '', ...args] = WITH_MOUNTS;
  return (
    ['/usr/sbin/cron', '/usr/bin/crontab', SPOOL].every((file) => existsSync(file)) &&
    spawnSync(command, [...args, 'mount', '-t', 'tmpfs', 'tmpfs', SPOOL]).status === 0
  );
}

/** Cron starts what it starts with root's home: this `claude` gets the one of the test, and nothing else. */
function writeClaude({ home, queue }: Place): string {
  const file = join(home.folder, 'claude');
  const variables = Object.entries(queue.env).map(([name, value]) => `${name}='${value}'`);
  writeFileSync(file, `#!/bin/sh\nexec env -i ${variables.join(' ')} '${CLAUDE}' "$@"\n`);
  chmodSync(file, 0o700);
  return file;
}

interface TimerStatus {
  readonly timer: { readonly by: string; readonly startedAt: string | null } | null;
  readonly silence: readonly unknown[];
}

describe('A schedule with the real cron', () => {
  before(function () {
    if (canRunCron()) return;
    console.log('      Only root with the package cron can run a cron of its own: this is not tested here.');
    this.skip();
  });

  it('starts the worker, which completes due tasks, and records its start', async () => {
    const place = await openPlace();
    const { queue } = place;
    await queue.trust([{ id: 1, prompt: 'Water the flowers' }]);
    const env = {
      ...queue.env,
      CLAUDE_QUEUE_CLAUDE: writeClaude(place),
      PATH: `${queue.env['PATH'] ?? ''}:/usr/sbin`,
    };
    const script = [
      `mount -t tmpfs tmpfs ${SPOOL}`,
      `mkdir -m 1730 ${SPOOL}/crontabs`,
      `chgrp crontab ${SPOOL}/crontabs`,
      'mount -t tmpfs tmpfs /run',
      '"$0" "$1" schedule --cron "* * * * *" --by crontab',
      'exec cron -f',
    ].join(' && ');
    const [command = '', ...args] = WITH_MOUNTS;
    const cron = start(command, [...args, 'sh', '-c', script, process.execPath, CLI], {
      cwd: queue.folder,
      env,
    });
    await cron.waitForLine(/^Scheduled by crontab, by this machine's clock: \* \* \* \* \*$/);
    await until('cron has let the task be done', async () => (await queue.task(1)).status === 'completed');
    const { stdout } = await queue.run('status --json');
    const { timer, silence } = JSON.parse(stdout) as TimerStatus;
    assert.equal(timer?.by, 'crontab');
    assert.ok(Date.parse(timer.startedAt ?? '') > 0, stdout);
    assert.deepEqual(silence, []);
    assert.deepEqual(place.reported(), ['Water the flowers']);
  });
});
