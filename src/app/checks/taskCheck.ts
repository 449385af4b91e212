import type { Offers } from '../../claude/installation/offers';
import { isProblem } from '../../domain/problem';
import { isRepository, parseRepository } from '../../domain/task/repository';
import type { TaskView } from '../../domain/queue/view';
import type { Settings } from '../../domain/settings/settings';
import { realFolder } from '../../platform/files/paths';
import type { Repositories } from '../../platform/files/repositories';
import { foreseeRefusal } from '../../platform/net/post';
import { t } from '../../platform/text/translate';
import type { Snapshot } from '../../queue/taskQueue';
import type { Checked } from './checked';
import { describeMissingMode } from './machineCheck';
import { describeCallbackFailure } from '../present/notices/callbackTexts';
import { formatWhere } from '../present/problems/rowProblem';
import { reviewPrompt } from './promptReview';
import { openPermissions } from './rowPermissions';
import { TaskRequirements } from './taskRequirements';
import type { QueueContext } from '../context/queueContext';

/** Checks what pending tasks need of this machine. */
export async function checkTasks(
  queueContext: QueueContext,
  { tasks, places }: Snapshot,
): Promise<Checked[]> {
  const { queueFile: file } = queueContext;
  const offers = await readOffers(queueContext);
  const { settings } = await queueContext.configure();
  const waiting = tasks.filter(({ state }) => state.status === 'pending');
  const readPermissions = await openPermissions(queueContext);
  const needs = new TaskRequirements({ ...queueContext.host.env });
  const found = waiting.map(async (task): Promise<Checked[]> => {
    const { id } = task.definition;
    const place = places.get(id) ?? null;
    const found = {
      where: place === null ? file : formatWhere(file, place),
      at: { file, where: place },
      remedy: { kind: 'edit-task', id },
    } as const;
    return [
      ...(await needs.find(task.definition)).map((lack) => ({ ...found, ...lack })),
      ...(await reviewPrompt(task.definition, await readPermissions(task))).map((message) => ({
        state: 'note' as const,
        ...found,
        message,
      })),
      ...[...listUnoffered(task, offers), ...listRefused(task, settings)].map((message) => ({
        state: 'problem' as const,
        ...found,
        message,
      })),
    ];
  });
  const results = (await Promise.all(found)).flat();
  const usable = needs.folderCount > 0 && !results.some(({ state }) => state === 'problem');
  const fine: Checked = {
    state: 'fine',
    where: t('working directories'),
    message: describeUsable(needs.folderCount),
  };
  return [...results, ...listRepositories(waiting, queueContext.repositories), ...(usable ? [fine] : [])];
}

/** Lists the repositories of this machine that rows name, with their folders. */
function listRepositories(tasks: readonly TaskView[], repositories: Repositories): Checked[] {
  const named = tasks.map(({ definition: { workingDir } }) =>
    isRepository(workingDir) ? parseRepository(workingDir)?.name : undefined,
  );
  return [...repositories]
    .filter(([name]) => named.includes(name))
    .map(([name, folder]) => {
      const real = realFolder(folder);
      const message = real === folder ? t('is {0}.', folder) : t('is {0}, a link to {1}.', folder, real);
      return { state: 'fine', where: t('repository {0}', name), message };
    });
}

function describeUsable(number: number): string {
  return number === 1
    ? t('The one that tasks name can be read and written.')
    : t('The {0} that tasks name can be read and written.', number);
}

async function readOffers(queueContext: QueueContext): Promise<Offers | null> {
  try {
    return await (await queueContext.findClaude()).readOffers();
  } catch (error) {
    // The check of the machine reports that once.
    if (isProblem(error, 'claude-missing')) return null;
    throw error;
  }
}

/** Lists why callbacks of a row will not be sent. */
function listRefused(
  { definition: { id, callbackUrl } }: TaskView,
  { callbackAllow }: Pick<Settings, 'callbackAllow'>,
): string[] {
  const refusal = callbackUrl === undefined ? null : foreseeRefusal(callbackUrl, callbackAllow);
  if (refusal === null) return [];
  return [t('Callbacks of task {0} are not sent: {1}', id, describeCallbackFailure(refusal))];
}

/** Lists what a row asks for and the installed version lacks. */
function listUnoffered({ definition }: TaskView, offers: Offers | null): string[] {
  if (offers === null) return [];
  const { id, permissionMode, maxBudgetUsd } = definition;
  const mode = permissionMode === undefined ? null : describeMissingMode(offers, permissionMode);
  const { flags } = offers;
  const budget = maxBudgetUsd !== undefined && flags.size > 0 && !flags.has('--max-budget-usd');
  const wanted = [
    ...(mode === null ? [] : [mode]),
    ...(budget ? [t('This version of Claude Code does not support max_budget_usd.')] : []),
  ];
  return wanted.map((message) => t('Task {0}: {1} Update Claude Code, or correct the row.', id, message));
}
