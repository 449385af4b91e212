import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { engines } from '../../../package.json';
import type { Installation } from '../../claude/installation/installation';
import type { Offers } from '../../claude/installation/offers';
import { isAtLeast, judgeVersion } from '../../claude/installation/versions';
import { formatTime } from '../../domain/time/moment';
import { isProblem } from '../../domain/problem';
import { systemClock } from '../../platform/clock';
import { hasCode } from '../../platform/files/files';
import { cleanEnvironment, createGit } from '../../platform/git/git';
import { foreseeRefusal } from '../../platform/net/post';
import { STATE_NAMES } from '../../queue/queuePaths';
import { firstLine } from '../../platform/text/plainText';
import { t } from '../../platform/text/translate';
import { describeCallbackFailure } from '../present/notices/callbackTexts';
import { describePayment, isSignedOut, nameClaude, noteVersion, whyUnpaid } from '../present/installation';
import { fine, inTerminal, problem, type Checked } from './checked';
import { checkRedis } from './redisCheck';
import { locateMachineSetting } from './settingSource';
import { checkStorage } from './storageCheck';
import type { QueueContext } from '../context/queueContext';

/** Checks what tasks need of this machine besides their queue. Changes nothing and uses no network. */
export async function checkMachine(queueContext: QueueContext): Promise<Checked[]> {
  const found = await Promise.all([
    checkClaude(queueContext),
    checkStorage(queueContext),
    checkGit(queueContext),
    checkClock(queueContext),
    checkRedis(queueContext),
    checkCallbackUrl(queueContext),
  ]);
  return [...found.flat(), checkNode(process.versions.node, process.execPath)];
}

async function checkClaude(queueContext: QueueContext): Promise<Checked[]> {
  try {
    const claude = await queueContext.findClaude();
    const { settings } = await queueContext.configure();
    const missing = describeMissingMode(await claude.readOffers(), settings.permissionMode);
    const modes: Checked[] =
      missing === null
        ? []
        : [
            {
              ...problem(
                'permissionMode',
                t('{0} Choose another one, or update Claude Code with "claude update".', missing),
              ),
              remedy: { kind: 'choose-permissions' },
            },
          ];
    return [
      describeVersion(claude, queueContext.paths.workspace),
      await describeSignIn(claude, queueContext),
      ...modes,
    ];
  } catch (error) {
    if (!isProblem(error)) throw error;
    const isMissing = error.reason === 'claude-missing';
    return [{ ...problem('claude', error.message), ...(isMissing ? CHOOSE_CLAUDE : {}) }];
  }
}

const CHOOSE_CLAUDE = { remedy: { kind: 'choose-claude' } } as const;
const SIGN_IN = { remedy: { kind: 'sign-in' } } as const;

function describeVersion(claude: Installation, folder: string): Checked {
  const note = noteVersion(claude);
  const name = nameClaude(claude);
  if (note === null) return fine(claude.path, t('{0}, a tested version.', name));
  const standing = judgeVersion(claude.version);
  const detail = { where: claude.path, message: `${name}. ${note}` };
  if (standing === 'newer') return { state: 'note', ...detail, remedy: { kind: 'update-extension' } };
  return standing === 'unknown'
    ? { state: 'note', ...detail, ...CHOOSE_CLAUDE }
    : {
        state: standing === 'too-old' ? 'problem' : 'note',
        ...detail,
        message: t('{0} To fix this, update Claude Code with "claude update".', detail.message),
        ...inTerminal(folder),
      };
}

async function describeSignIn(claude: Installation, queueContext: QueueContext): Promise<Checked> {
  const why = whyUnpaid(claude);
  const { auth, path: where, billingChoice } = claude;
  if (why !== null && billingChoice === 'subscription') return { ...problem(where, why), ...SIGN_IN };
  if (why !== null)
    return {
      ...problem('billing', why),
      ...inTerminal(queueContext.paths.workspace),
      ...(await locateMachineSetting(queueContext, 'billing')),
    };
  if (isSignedOut(claude))
    return {
      ...problem(where, t('Claude Code is not signed in. Run "claude" and then /login.')),
      ...SIGN_IN,
    };
  return {
    state: auth.method === 'unknown' ? 'note' : 'fine',
    where,
    message: t('Attempts are {0}.', describePayment(claude)),
  };
}

/** Whether `checkMachine` reports that attempts would not be billed as chosen. */
export async function isPayerRefused(queueContext: QueueContext): Promise<boolean> {
  try {
    return whyUnpaid(await queueContext.findClaude()) !== null;
  } catch (error) {
    if (!isProblem(error)) throw error;
    return false;
  }
}

/** Returns a sentence if the installed version lacks this permission mode; else null. */
export function describeMissingMode({ modes }: Offers, mode: string): string | null {
  // `manual` and `default` are the same mode, and every version has it.
  if (modes.size === 0 || modes.has(mode) || mode === 'manual' || mode === 'default') return null;
  return t('This version of Claude Code has no permission mode {0}.', mode);
}

/** Checks the version of Node against package.json. */
export function checkNode(version: string, program: string): Checked {
  const wanted = engines.node.replace(/^[^0-9]*/, '');
  return isAtLeast(version, wanted)
    ? fine(program, `Node ${version}.`)
    : {
        ...problem(
          program,
          t(
            "This is Node {0}, and {1} or newer is needed. Install a newer one, from nodejs.org or with your system's package manager.",
            version,
            wanted,
          ),
        ),
        remedy: { kind: 'show-versions' },
      };
}

/** Checks the address to which the callbacks of all tasks are sent. */
async function checkCallbackUrl(queueContext: QueueContext): Promise<Checked[]> {
  const { callbackUrl, callbackAllow } = (await queueContext.configure()).settings;
  const refusal = callbackUrl === '' ? null : foreseeRefusal(callbackUrl, callbackAllow);
  if (refusal === null) return [];
  const message = t('Callbacks are not sent: {0}', describeCallbackFailure(refusal));
  return [
    { ...problem('callbackUrl', message), ...(await locateMachineSetting(queueContext, 'callbackUrl')) },
  ];
}

async function checkGit({ host, paths }: QueueContext): Promise<Checked> {
  try {
    const git = createGit(path.parse(process.cwd()).root, cleanEnvironment({ ...host.env }));
    const detail = await git(['--version'], AbortSignal.timeout(GIT_MS));
    return fine('git', `${firstLine(detail)}.`);
  } catch (error) {
    const why = firstLine(error instanceof Error ? error.message : String(error));
    return {
      state: 'note',
      where: 'git',
      message: t(
        'git does not work ({0}): changes of attempts are not measured. Install git and add it to the PATH.',
        why,
      ),
      ...inTerminal(paths.workspace),
    };
  }
}

const GIT_MS = 10_000;

/** Tolerated lead of a file's time over the clock, in milliseconds. */
const AHEAD_MS = 5 * 60_000;
/** Earliest date of a correct clock: this program did not exist before. */
const EARLIEST = Date.UTC(2026, 0, 1);

/** Checks the clock, on which times, retry delays and limits depend: a clock that was set back makes tasks wait. */
async function checkClock({ paths, configuration }: QueueContext): Promise<Checked> {
  const now = systemClock.now();
  const world = { now, timeZone: configuration.last.timeZone };
  const written = await lastWritten(paths.state.folder);
  if (now < EARLIEST)
    return {
      ...problem(
        t('clock'),
        t('It says {0}, which is long past. Set the clock.', new Date(now).toISOString()),
      ),
      ...inTerminal(paths.workspace),
    };
  if (written !== null && written - now > AHEAD_MS)
    return {
      ...problem(
        t('clock'),
        t(
          'It says {0}, but the queue was written at {1}, which is in the future. Set the clock. If it is correct now, tasks may wait for times recorded while it was wrong.',
          formatTime(now, world),
          formatTime(written, world),
        ),
      ),
      ...inTerminal(paths.workspace),
    };
  return fine(t('clock'), t('It says {0}.', new Date(now).toISOString()));
}

async function lastWritten(folder: string): Promise<number | null> {
  try {
    const names = (await fs.readdir(folder)).filter((name) => name.startsWith(STATE_NAMES.journal));
    const times = await Promise.all(
      names.map(async (name) => (await fs.stat(path.join(folder, name))).mtimeMs),
    );
    return times.length === 0 ? null : times.reduce((newest, time) => Math.max(newest, time));
  } catch (error) {
    // No state yet, or not readable: the check of the folder itself reports that.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return null;
    throw error;
  }
}
