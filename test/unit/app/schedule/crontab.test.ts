import assert from 'node:assert/strict';
import { Crontab } from '../../../../src/app/schedule/crontab';
import { nameEntry } from '../../../../src/app/schedule/scheduler';

const FOLDER = '/tmp/x/claude_queue';
const SCRIPT = 'queue_manager.sh run';

/** A crontab in memory with these lines. */
function crontabOf(lines: readonly string[]): { crontab: Crontab; read: () => string[] } {
  let table = `${lines.join('\n')}\n`;
  const crontab = new Crontab((_program, _args, input) => {
    if (input !== undefined) table = input.toString('latin1');
    return Promise.resolve({ code: 0, out: table, err: '' });
  });
  return { crontab, read: () => table.split('\n').slice(0, -1) };
}

describe('The crontab lines of queue_manager.sh', () => {
  const own = [
    `*/30 * * * * ${FOLDER}/${SCRIPT} >> ${FOLDER}/state/cron.log 2>&1`,
    `0 * * * * cd ${FOLDER} && ./${SCRIPT}`,
    `0 * * * * cd "${FOLDER}/" && ./${SCRIPT}`,
    `0 * * * * Q=${FOLDER};cd $Q && ./${SCRIPT}`,
    `0 * * * * (cd ${FOLDER}; ./${SCRIPT})`,
    `0 * * * * bash -c "cd \\"${FOLDER}\\" && ./${SCRIPT}"`,
    `0 * * * * ls /mnt${FOLDER} && ${FOLDER}/${SCRIPT}`,
  ];
  for (const line of own) {
    it(`for this folder include ${line}`, async () => {
      const { crontab, read } = crontabOf([line, '0 1 * * * mine']);
      assert.deepEqual(await crontab.findScripts(FOLDER), [line]);
      await crontab.removeScripts(FOLDER);
      assert.deepEqual(read(), ['0 1 * * * mine']);
    });
  }

  it('are returned as text, also with a folder that is not ASCII', async () => {
    const folder = '/home/健/claude_queue';
    const line = `0 * * * * cd ${folder} && ./${SCRIPT}`;
    const { crontab, read } = crontabOf([Buffer.from(line).toString('latin1')]);
    assert.deepEqual(await crontab.findScripts(folder), [line]);
    await crontab.removeScripts(folder);
    assert.deepEqual(read(), []);
  });

  const others = [
    `0 * * * * cd /mnt/backup${FOLDER} && ./${SCRIPT}`,
    `0 * * * * /mnt/backup${FOLDER}/${SCRIPT}`,
    `0 * * * * cd ${FOLDER}2 && ./${SCRIPT}`,
    `0 * * * * cd ${FOLDER}/other && ./${SCRIPT}`,
    `0 * * * * cd ${FOLDER}\\ 2 && ./${SCRIPT}`,
    `0 * * * * cd /home/ken && ./${SCRIPT} >> ${FOLDER}/cron.log`,
    `# 0 * * * * cd ${FOLDER} && ./${SCRIPT}`,
  ];
  for (const line of others) {
    it(`for another folder are kept: ${line}`, async () => {
      const { crontab, read } = crontabOf([line]);
      assert.deepEqual(await crontab.findScripts(FOLDER), []);
      await crontab.removeScripts(FOLDER);
      assert.deepEqual(read(), [line]);
    });
  }
});

describe('The crontab line of a queue', () => {
  const queueFile = '/tmp/x/prompts.csv';
  const found = async (times: string): Promise<readonly string[] | undefined> => {
    const { crontab } = crontabOf([`${times} PATH='/bin' 'work' # ${nameEntry(queueFile)}`]);
    return (await crontab.find(queueFile))?.crons;
  };

  for (const [times, cron] of [
    ['5 4 * * *', '5 4 * * *'],
    ['  5\t4 * *  *', '5 4 * * *'],
    ['@hourly', '0 * * * *'],
    ['@midnight', '0 0 * * *'],
    ['@reboot', '@reboot'],
  ] as const) {
    it(`is read by its times, also if the user changed them to "${times}"`, async () => {
      assert.deepEqual(await found(times), [cron]);
    });
  }
});
