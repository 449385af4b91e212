import { simulate, workersOf } from '../../../app/simulate/simulate';
import { t } from '../../../platform/text/translate';
import { callCommand } from '../../callCommand';
import type { ExtensionServices } from '../../state/extensionServices';
import type { PageActions } from '../page';
import { drawForecast } from './forecastHtml';
import { FORECAST_STYLE } from './forecastStyle';

const TITLE = t('Tonight');

/** Shows on a page when each task of the next 24 hours will start and end, from the queue's history. Runs nothing. */
export async function showForecastPage(services: ExtensionServices): Promise<void> {
  const page = services.pages.prepare('forecast', TITLE);
  const session = await services.queueModel.useQueue();
  const { queueContext, queue } = session;
  const body = await session.use(async () => {
    const { settings } = await queueContext.configure();
    const forecast = await simulate(queueContext, queue, { workers: workersOf(settings) });
    return drawForecast(forecast, queueContext.moment());
  });
  await page().show({ title: TITLE, body, style: FORECAST_STYLE }, actionsFor(services));
}

function actionsFor(services: ExtensionServices): PageActions {
  return {
    refresh: () => showForecastPage(services),
    rehearse: () => callCommand(services, 'rehearse'),
    row: ({ value }) => callCommand(services, 'showRow', { taskId: Number(value) }),
    approve: async ({ value }) => {
      await callCommand(services, 'approve', Number(value));
      await showForecastPage(services);
    },
  };
}
