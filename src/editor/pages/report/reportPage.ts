import { measureAccuracy } from '../../../app/simulate/measureAccuracy';
import { explainGaps } from '../../../app/viewModel/report/gapReasons';
import { composeNightReport } from '../../../app/viewModel/report/nightReport';
import type { TaskAction } from '../../../app/viewModel/possibleActions';
import { t } from '../../../platform/text/translate';
import { callCommand } from '../../callCommand';
import type { CommandName } from '../../commandIds';
import type { ExtensionServices } from '../../state/extensionServices';
import type { Html } from '../html';
import { Latest } from '../latest';
import type { PageActions } from '../page';
import type { PageMessage } from '../pageMessage';
import { toHours } from './hours';
import { drawContent, drawReportPage } from './reportHtml';
import { REPORT_STYLE } from './reportStyle';

const TITLE = t('Report');
const HOUR_MS = 3_600_000;

/** Shows what happened to the queue, first what the user must do about it, with the buttons for that. */
export async function showReportPage(services: ExtensionServices): Promise<void> {
  const page = services.pages.show('report', TITLE);
  let hours = toHours('');
  const reads = new Latest();
  const readAgain = async (): Promise<void> => {
    const isLatest = reads.ask();
    const content = await readContent(services, hours);
    if (isLatest()) await page.replace('content', content);
  };
  const body = drawReportPage(await readContent(services, hours), hours);
  const actions: PageActions = {
    refresh: readAgain,
    hours: async ({ value }) => {
      hours = toHours(value);
      await readAgain();
    },
    // A number alone is a line.
    row: ({ value }) => callCommand(services, 'showRow', { taskId: Number(value) }),
    history: () => callCommand(services, 'showHistory'),
    ...stopActions(services, readAgain),
    ...taskActions(services, readAgain),
  };
  await page.show({ title: TITLE, body, style: REPORT_STYLE }, actions);
}

async function readContent({ queueModel }: ExtensionServices, hours: number): Promise<Html> {
  const session = await queueModel.useQueue();
  return session.use(async () => {
    const viewModel = await session.look();
    const attempts = await session.queue.attempts({});
    const from = viewModel.world.now - hours * HOUR_MS;
    const { queueContext: context, queue } = session;
    const forecast = await measureAccuracy({ context, queue, viewModel }, attempts, from);
    return drawContent(await explainGaps(composeNightReport(viewModel, attempts, from, forecast), queue));
  });
}

/** Commands of the actions of a task. */
const COMMANDS: Readonly<Partial<Record<TaskAction, CommandName>>> = {
  showChanges: 'showChanges',
  showOutput: 'showAttempt',
  accept: 'accept',
  allow: 'allowTools',
  retry: 'retry',
  answer: 'answer',
  approve: 'approve',
  edit: 'editTask',
};

function call(
  services: ExtensionServices,
  command: CommandName,
): (message: Pick<PageMessage, 'value'>) => Promise<void> {
  return ({ value }) => callCommand(services, command, Number(value));
}

/** Actions of tasks. After each, the page shows what is left to do. */
function taskActions(services: ExtensionServices, readAgain: () => Promise<void>): PageActions {
  return Object.fromEntries(
    Object.entries(COMMANDS).map(([action, command]) => [
      action,
      async (message: PageMessage) => {
        await call(services, command)(message);
        await readAgain();
      },
    ]),
  );
}

/** Actions that end what stops the queue. */
const STOP_COMMANDS = [
  'signIn',
  'resume',
  'review',
  'start',
  'openQueueFile',
  'checkMachine',
] as const satisfies readonly CommandName[];

function stopActions(services: ExtensionServices, readAgain: () => Promise<void>): PageActions {
  return Object.fromEntries(
    STOP_COMMANDS.map((command) => [
      command,
      async () => {
        await callCommand(services, command);
        await readAgain();
      },
    ]),
  );
}
