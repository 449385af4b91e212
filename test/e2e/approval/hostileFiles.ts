import { execFileSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  linkSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { GitRepository } from '../../support/machine/gitRepository';
import { CliHarness } from '../../integration/cli/cliHarness';
import { APPROVED, makePipe, place, stateOf, type Trick } from './hostileTrick';

const NOBODY = 65_534;

const FOREIGN = /state contains a history that was not made by you on this machine/;

/** A state folder of somebody else, who chose what the check of a failed attempt says. */
async function copyTheirHistory(cli: CliHarness): Promise<void> {
  const theirs = new CliHarness();
  try {
    theirs.installClaude('ok');
    theirs.write(APPROVED);
    await theirs.call('trust');
    await theirs.call('run');
    rmSync(stateOf(cli), { recursive: true, force: true });
    cpSync(stateOf(theirs), stateOf(cli), { recursive: true });
  } finally {
    theirs.remove();
  }
}

/** Files and folders that are not what they seem, or not the user's. */
export const FILE_TRICKS: Readonly<Record<string, Trick>> = {
  'a state folder from elsewhere': { put: copyTheirHistory, reported: FOREIGN },
  'a hand-made journal that claims a session': {
    put: (cli) => {
      const session = { kind: 'seen', at: 1, rows: [{ id: 1, power: 'x' }] };
      const lines = [
        { at: 0, n: 0, by: 'x', version: 3, history: 'made-up' },
        { at: 54, n: 1, by: 'x', entry: { events: [session] } },
      ];
      place(cli, 'state/journal.9', (file) => {
        writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      });
    },
    reported: FOREIGN,
  },
  'a state folder that git tracks': {
    put: (cli) => {
      cli.env['PATH'] = process.env['PATH'] ?? '';
      place(cli, 'state/notes', (file) => {
        writeFileSync(file, '');
      });
      GitRepository.init(cli.workspace).git('add', '-f', join('claude_queue', 'state', 'notes'));
    },
    reported: /git tracks files in \S+state/,
  },
  'a state folder that is a link into the home': {
    put: (cli) => {
      place(cli, 'state', (file) => {
        symlinkSync(cli.env['HOME'] ?? '', file);
      });
    },
    reported: /state is a symbolic link/,
  },
  'a log that is a link': {
    put: (cli) => {
      place(cli, 'state/executed.log', (file) => {
        symlinkSync(join(cli.env['HOME'] ?? '', '.profile'), file);
      });
    },
    reported: /executed\.log is a symbolic link/,
  },
  'a log that is a hard link': {
    put: (cli) => {
      const profile = join(cli.env['HOME'] ?? '', '.profile');
      writeFileSync(profile, '# mine\n');
      place(cli, 'state/executed.log', (file) => {
        linkSync(profile, file);
      });
    },
    reported: /executed\.log is a hard link/,
  },
  'an output that is a link': {
    put: (cli) => {
      place(cli, 'state/outputs/task-1-attempt-1.jsonl', (file) => {
        symlinkSync(join(cli.env['HOME'] ?? '', '.profile'), file);
      });
    },
    reported: /task-1-attempt-1\.jsonl exists already, and this attempt did not write it/,
  },
  'outputs that are a file': {
    put: (cli) => {
      place(cli, 'state/outputs', (file) => {
        writeFileSync(file, '');
      });
    },
    reported: /outputs is not a folder/,
  },
  'a state folder of another user': {
    put: (cli) => {
      chownSync(stateOf(cli), NOBODY, NOBODY);
    },
    reported: /state belongs to another user \(uid 65534\)/,
    needsRoot: true,
  },
  'a journal of another user': {
    put: (cli) => {
      chownSync(join(stateOf(cli), 'journal'), NOBODY, NOBODY);
    },
    reported: /journal belongs to another user \(uid 65534\)/,
    needsRoot: true,
  },
  'an output of another user': {
    put: (cli) => {
      chownSync(
        place(cli, 'state/outputs/task-1-attempt-1.jsonl', (file) => {
          writeFileSync(file, '');
        }),
        NOBODY,
        NOBODY,
      );
    },
    reported: /task-1-attempt-1\.jsonl exists already, and this attempt did not write it/,
    needsRoot: true,
  },
  'approvals of another user': {
    put: (cli) => {
      const folder = join(cli.env['XDG_STATE_HOME'] ?? '', 'claude-queue', 'approvals');
      execFileSync('chown', ['-R', String(NOBODY), folder]);
    },
    reported: /approvals\/\w+\.json belongs to another user/,
    needsRoot: true,
  },
  'approvals that were tampered with': {
    put: (cli) => {
      const folder = join(cli.env['XDG_STATE_HOME'] ?? '', 'claude-queue', 'approvals');
      execFileSync('sh', [
        '-c',
        `for each in "${folder}"/*.json; do echo '{"trusted":true}' > "$each"; done`,
      ]);
    },
    reported: /approvals\/\S+\.json was not written by this program/,
  },
  'a named pipe in the place of the queue file': {
    put: (cli) => {
      place(cli, 'prompts.csv', makePipe);
    },
    reported: /prompts\.csv is a named pipe, not a regular file/,
  },
  'a named pipe in the place of config.yaml': {
    put: (cli) => {
      place(cli, 'config.yaml', makePipe);
    },
    reported: /config\.yaml is a named pipe, not a regular file/,
  },
  'a named pipe in the place of an output': {
    put: (cli) => {
      place(cli, 'state/outputs/task-1-attempt-1.jsonl', makePipe);
    },
    reported: /task-1-attempt-1\.jsonl exists already/,
  },
  'a device in the place of the queue file': {
    put: (cli) => {
      place(cli, 'prompts.csv', (file) => {
        symlinkSync('/dev/zero', file);
      });
    },
    reported: /\/dev\/zero is a device, not a regular file/,
  },
  'a queue file larger than any memory': {
    put: ({ queueFile }) => {
      truncateSync(queueFile, 2 ** 40);
    },
    reported: /prompts\.csv has 1,099,511,627,776 bytes/,
  },
  'a lock with something in it': {
    put: (cli) => {
      const lock = place(cli, 'state/step.lock', (file) => {
        mkdirSync(file);
      });
      writeFileSync(join(lock, 'x'), '');
      utimesSync(lock, 1, 1);
    },
    reported: /step\.lock is the lock of this program and must be an empty folder/,
  },
};
