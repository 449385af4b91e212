import { t } from '../../../platform/text/translate';
import { callCommand } from '../../callCommand';
import type { CommandName } from '../../commandIds';
import type { ExtensionServices } from '../../state/extensionServices';
import type { Html } from '../html';
import { Latest } from '../latest';
import type { Page, PageActions } from '../page';
import { composeRows, filterRows, type AttemptRow } from './attemptRows';
import { drawTable, PAGE_ROWS } from './attemptTable';
import { readChartScript } from './chartScript';
import { drawContent, drawHistory } from './historyHtml';
import { HISTORY_STYLE } from './historyStyle';
import { sinceOf, toPeriod, type Period } from './periods';

const TITLE = t('History');

/** Shows the queue's attempts on a page: how they ended, how long they waited and ran, and what they cost. */
export async function showHistoryPage(services: ExtensionServices): Promise<void> {
  await new HistoryPage(services, services.pages.show('history', TITLE)).show();
}

/** Page of the history. It is not drawn again by itself. */
class HistoryPage {
  private rows: readonly AttemptRow[] = [];
  private timeZone = 'UTC';
  private period: Period = 'month';
  private filter = '';
  private readonly reads = new Latest();

  constructor(
    private readonly services: ExtensionServices,
    private readonly page: Page,
  ) {}

  async show(): Promise<void> {
    await this.read();
    const body = drawHistory(this.draw(), { period: this.period, filter: this.filter });
    const script = await readChartScript(this.services.program);
    await this.page.show({ title: TITLE, body, style: HISTORY_STYLE, script }, this.actions);
  }

  /** Reads the attempts of the period. Returns false if it is read again meanwhile: that answer counts. */
  private async read(): Promise<boolean> {
    const isLatest = this.reads.ask();
    const session = await this.services.queueModel.useQueue();
    const { rows, timeZone } = await session.use(async () => {
      const { queueContext, queue } = session;
      const { timeZone: zone } = await queueContext.configure();
      const since = sinceOf(this.period, queue.now());
      const [attempts, { tasks }] = await Promise.all([queue.attempts(since), queue.read()]);
      const prompts = new Map(tasks.map(({ definition: { id, prompt } }) => [id, prompt]));
      return { rows: composeRows(attempts, prompts, zone), timeZone: zone };
    });
    if (!isLatest()) return false;
    [this.rows, this.timeZone] = [rows, timeZone];
    return true;
  }

  private get found(): readonly AttemptRow[] {
    return filterRows(this.rows, this.filter);
  }

  private draw(): Html {
    return drawContent(this.found, PAGE_ROWS, this.timeZone);
  }

  private readonly actions: PageActions = {
    refresh: () => this.readAgain(),
    period: async ({ value }) => {
      this.period = toPeriod(value);
      await this.readAgain();
    },
    filter: async ({ value }) => {
      this.filter = value;
      await this.page.replace('content', this.draw());
    },
    more: ({ value }) => this.page.replace('table', drawTable(this.found, Number(value))),
    attempt: ({ value }) => this.call('showAttempt', value),
    changes: ({ value }) => this.call('showChanges', value),
    usage: () => callCommand(this.services, 'showUsage'),
  };

  private async readAgain(): Promise<void> {
    if (await this.read()) await this.page.replace('content', this.draw());
  }

  /** Calls a command on an attempt of the page. */
  private async call(command: CommandName, key: string): Promise<void> {
    const found = this.rows.find((row) => row.key === key);
    if (found === undefined) return;
    const { id: taskId, number: attempt } = found.attempt;
    await callCommand(this.services, command, { taskId, attempt });
  }
}
