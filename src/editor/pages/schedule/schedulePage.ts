import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { Latest } from '../latest';
import type { QueueContext } from '../../../app/context/queueContext';
import { describeError } from '../../../app/present/problems/problem';
import { describeNoSchedule, describeRemoved, describeUnkept } from '../../../app/present/timers/schedule';
import type { Scheduler, Scheduling } from '../../../app/schedule/scheduler';
import { scheduleLog } from '../../../app/schedule/scheduledCommand';
import {
  findInstalledTimers,
  findScriptLines,
  listSchedulers,
  removeScriptLines,
} from '../../../app/schedule/installedTimers';
import { installSchedule, planSchedule, removeSchedule } from '../../../app/schedule/installSchedule';
import { isProblem, Problem } from '../../../domain/problem';
import { machineZone } from '../../../platform/timeZones';
import { createRunProgram } from '../../../platform/processes/programs';
import { t } from '../../../platform/text/translate';
import { callCommand } from '../../callCommand';
import { locateQueue } from '../../commands/queue/closedQueue';
import { choosePermissions } from '../../commands/start/chooseSettings';
import type { ExtensionServices } from '../../state/extensionServices';
import { showProgress } from '../../status/progress';
import type { Page, PageActions } from '../page';
import { FIRST_CHOICE, readChosenTimes, type ScheduleChoice } from './scheduleChoice';
import {
  drawOwnTimes,
  drawPreview,
  drawSchedule,
  type ScheduleFacts,
  type SchedulePreview,
} from './scheduleHtml';
import { SCHEDULE_STYLE } from './scheduleStyle';

const TITLE = t('Schedule Worker');

/** Shows whether a timer starts the worker, and installs or removes one. Everything that is written is shown before. */
export async function showSchedulePage(services: ExtensionServices): Promise<void> {
  await showProgress(t('Waiting for Claude Code…'), new SchedulePage(services).show(null));
}

/** Queue whose schedule is shown, with the facts of its machine. */
interface Shown {
  readonly queueContext: QueueContext;
  readonly facts: ScheduleFacts;
}

/** Page of the schedule. It is not drawn again by itself. */
class SchedulePage {
  private choice: ScheduleChoice = FIRST_CHOICE;
  private preview: SchedulePreview | null = null;
  private readonly plans = new Latest();

  constructor(private readonly services: ExtensionServices) {}

  /** Draws the page from the machine as it is now; `note` says what just happened. */
  async show(note: string | null): Promise<void> {
    const queueContext = await locateQueue(this.services);
    const facts = await readFacts(this.services, queueContext, this.scheduling);
    const preview = await this.plan(queueContext);
    this.preview = preview;
    const body = drawSchedule(facts, this.choice, preview, note);
    const actions = this.actionsFor({ queueContext, facts });
    await this.page.show({ title: TITLE, body, style: SCHEDULE_STYLE }, actions);
  }

  private get page(): Page {
    return this.services.pages.show('schedule', TITLE);
  }

  private get scheduling(): Scheduling {
    const { command, settings } = this.services;
    return {
      platform: process.platform,
      userId: process.getuid?.() ?? 0,
      program: [command],
      run: createRunProgram(settings.environment()),
    };
  }

  private actionsFor(shown: Shown): PageActions {
    const { queueContext } = shown;
    return {
      timing: async ({ value }) => {
        this.choice = { ...this.choice, timing: value };
        await this.page.replace('own', drawOwnTimes(this.choice));
        await this.planAgain(shown);
      },
      cron: ({ value }) => {
        this.choice = { ...this.choice, cron: value };
        return this.planAgain(shown);
      },
      by: ({ value }) => {
        this.choice = { ...this.choice, by: value };
        return this.planAgain(shown);
      },
      mode: async () => {
        if (await choosePermissions(this.services, await queueContext.findClaude())) await this.show(null);
      },
      approve: async () => {
        await callCommand(this.services, 'approve');
        await this.show(null);
      },
      install: ({ value }) => this.install(shown, value),
      remove: () => this.remove(shown),
      removeScripts: async () => {
        await removeScriptLines(this.scheduling, queueContext.paths.folder);
        await this.show(t('Removed the lines of queue_manager.sh from the crontab.'));
      },
      log: async () => {
        await vscode.window.showTextDocument(vscode.Uri.file(scheduleLog(queueContext)));
      },
    };
  }

  /** Draws the effect of the choice again, unless the user has chosen something else meanwhile. */
  private async planAgain({ queueContext, facts }: Shown): Promise<void> {
    const isLatest = this.plans.ask();
    const preview = await this.plan(queueContext);
    if (!isLatest()) return;
    this.preview = preview;
    await this.page.replace('preview', drawPreview(facts, preview));
  }

  private async plan(queueContext: QueueContext): Promise<SchedulePreview> {
    const { settings, queueModel } = this.services;
    if (settings.permissionMode === 'ask') return { kind: 'no-mode' };
    const { by } = this.choice;
    try {
      const options = { times: readChosenTimes(this.choice), by: by === '' ? undefined : by };
      const { queue } = await queueModel.useQueue();
      const planned = await planSchedule(queueContext, queue, this.scheduling, options);
      const steps = planned.scheduler.stepsOf(planned.entry);
      return { kind: 'planned', key: queueContext.host.createId(), planned, steps };
    } catch (error) {
      if (!isProblem(error)) throw error;
      return { kind: 'refused', message: describeError(error) };
    }
  }

  /** Installs the plan with this key, if it is the one that is shown. */
  private async install({ queueContext }: Shown, key: string): Promise<void> {
    const { preview, scheduling } = this;
    if (preview?.kind !== 'planned' || preview.key !== key) return;
    const { planned } = preview;
    await this.services.queueModel.change(({ queue }) =>
      installSchedule(queueContext, queue, scheduling, planned),
    );
    await this.show(`${t('Installed the timer.')} ${planned.scheduler.condition}`);
  }

  private async remove({ queueContext, facts }: Shown): Promise<void> {
    const { scheduling } = this;
    const removed = await this.services.queueModel.change(({ queue }) =>
      removeSchedule(queueContext, queue, scheduling),
    );
    const { queueFile } = queueContext;
    await this.show(
      removed.length === 0
        ? describeNoSchedule(queueFile, facts.unseen)
        : describeRemoved(queueFile, removed),
    );
  }
}

async function readFacts(
  { command, queueModel }: ExtensionServices,
  queueContext: QueueContext,
  scheduling: Scheduling,
): Promise<ScheduleFacts> {
  const { queueFile, paths, host } = queueContext;
  if (!existsSync(command))
    throw new Problem(
      'scheduler-failed',
      t(
        'A timer would start {0}, which does not exist. Reload the window; the log says why it could not be written.',
        command,
      ),
    );
  const system = { ...host, scheduling };
  const { found, unseen } = await findInstalledTimers(system, queueFile);
  const session = await queueModel.useQueue();
  const { tasks } = await session.use(() => session.look());
  return {
    queueFile,
    installed: found,
    unseen,
    kinds: await findUsableKinds(listSchedulers(system)),
    log: scheduleLog(queueContext),
    scripts: await findScriptLines(scheduling, paths.folder),
    warnings: describeUnkept(host.env),
    unapproved: tasks.filter(({ reason }) => reason.state === 'unapproved').length,
    moment: { now: host.clock.now(), timeZone: machineZone() },
  };
}

async function findUsableKinds(schedulers: readonly Scheduler[]): Promise<string[]> {
  const usable = [];
  for (const scheduler of schedulers) if (await scheduler.isThere()) usable.push(scheduler.kind);
  return usable;
}
