import { describeGate } from '../../../app/present/gate';
import { describeKept, describeUsage } from '../../../app/present/usageWindows';
import { composeDays } from '../../../app/viewModel/ledger';
import { readUsageHistory } from '../../../app/viewModel/usageHistory';
import { formatMinute } from '../../../domain/time/localTime';
import { t } from '../../../platform/text/translate';
import { callCommand } from '../../callCommand';
import type { ExtensionServices } from '../../state/extensionServices';
import { Latest } from '../latest';
import type { PageActions } from '../page';
import { readChartScript } from './chartScript';
import { drawDays } from './dayFigures';
import { HISTORY_STYLE } from './historyStyle';
import { sinceOf, toPeriod, type Period } from './periods';
import { drawUsage } from './usageFigure';
import { drawUsageContent, drawUsagePage, type UsageContent } from './usageHtml';

const TITLE = t('Usage');

/** Shows the account's usage windows, now and over time, and attempts and cost per day. */
export async function showUsagePage(services: ExtensionServices): Promise<void> {
  const page = services.pages.show('usage', TITLE);
  let period: Period = 'month';
  const reads = new Latest();
  const readAgain = async (): Promise<void> => {
    const isLatest = reads.ask();
    const content = await readUsage(services, period);
    if (isLatest()) await page.replace('content', drawUsageContent(content));
  };
  const actions: PageActions = {
    refresh: readAgain,
    period: async ({ value }) => {
      period = toPeriod(value);
      await readAgain();
    },
    history: () => callCommand(services, 'showHistory'),
  };
  const body = drawUsagePage(await readUsage(services, period), period);
  const script = await readChartScript(services.program);
  await page.show({ title: TITLE, body, style: HISTORY_STYLE, script }, actions);
}

async function readUsage({ queueModel }: ExtensionServices, period: Period): Promise<UsageContent> {
  const session = await queueModel.useQueue();
  return session.use(async () => {
    const { world } = await session.look();
    const { gate, now, timeZone } = world;
    const { since = 0 } = sinceOf(period, now);
    const attempts = await session.queue.attempts({ since });
    const latest = gate.usage.filter(({ asOf }) => asOf >= since);
    const usage = drawUsage(readUsageHistory(attempts, latest, now), timeZone);
    const days = attempts.length === 0 ? [] : drawDays(composeDays(attempts, timeZone));
    return {
      gate: describeGate(world),
      lines: [...describeUsage(world), ...describeKept(world)],
      figures: usage === null ? days : [usage, ...days],
      time: formatMinute(now, timeZone),
    };
  });
}
