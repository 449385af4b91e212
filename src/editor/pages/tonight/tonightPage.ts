import { Latest } from '../latest';
import { describeError } from '../../../app/present/problems/problem';
import type { Forecast } from '../../../app/simulate/forecast';
import { simulate } from '../../../app/simulate/simulate';
import { compareForecasts, type Changes, type Comparison } from '../../../app/simulate/whatIf';
import { isProblem } from '../../../domain/problem';
import type { Moment } from '../../../domain/time/moment';
import { t } from '../../../platform/text/translate';
import { callCommand } from '../../callCommand';
import type { ExtensionServices } from '../../state/extensionServices';
import { showProgress } from '../../status/progress';
import type { Page, PageActions } from '../page';
import { drawTonight } from './tonightHtml';
import { TONIGHT_STYLE } from './tonightStyle';
import { addChoice, chooseSubject, dropChange, FIRST_CHOICE, listChanges, NO_CHANGES } from './whatIfChoice';
import { drawAbout, drawRefused, drawValue, drawWhatIf } from './whatIfHtml';

const TITLE = t('Forecast');

/** Shows on a page when each task of the next 24 hours will start and end, from the queue's history. Runs nothing. */
export async function showTonight(services: ExtensionServices): Promise<void> {
  await new TonightPage(services).show(NO_CHANGES);
}

/** Forecast of a queue; with changes, that of the changed queue beside it. */
interface Shown {
  readonly now: Forecast;
  readonly comparison: Comparison | null;
  readonly moment: Moment;
}

/** The page of the forecast. It is not drawn again by itself. */
class TonightPage {
  private choice = FIRST_CHOICE;
  /** Changes that are compared; none: the queue is shown as it is. */
  private changes = NO_CHANGES;
  private readonly drawings = new Latest();

  constructor(private readonly services: ExtensionServices) {}

  /** Simulates the queue, as it is and with these changes, and draws the page. @throws Problem as `compareForecasts` does */
  async show(changes: Changes): Promise<void> {
    const page = this.services.pages.prepare('forecast', TITLE);
    const isLatest = this.drawings.ask();
    const before = this.changes;
    // The next press counts on top of this one, which may take a while.
    this.changes = changes;
    const { now, comparison, moment } = await this.simulate(changes).catch((error: unknown) => {
      if (isLatest()) this.changes = before;
      throw error;
    });
    if (!isLatest()) return;
    const html = drawWhatIf(now, this.choice, changes, comparison, moment);
    const body = drawTonight(now, moment, { html, hasFocus: comparison !== null });
    await page().show({ title: TITLE, body, style: TONIGHT_STYLE }, this.actionsFor(page()));
  }

  private async simulate(changes: Changes): Promise<Shown> {
    const session = await this.services.queueModel.useQueue();
    const { queueContext, queue } = session;
    return session.use(async () => {
      const moment = queueContext.moment();
      if (listChanges(changes).length === 0) {
        await queueContext.configureStrictly();
        const now = await simulate(queueContext, queue, {});
        return { now, comparison: null, moment };
      }
      const comparison = await showProgress(t('Simulating…'), compareForecasts(queueContext, changes));
      return { now: comparison.now, comparison, moment };
    });
  }

  private actionsFor(page: Page): PageActions {
    const { services } = this;
    return {
      refresh: () => this.show(this.changes),
      rehearse: () => callCommand(services, 'rehearse'),
      row: ({ value }) => callCommand(services, 'showRow', { taskId: Number(value) }),
      approve: async ({ value }) => {
        await callCommand(services, 'approve', Number(value));
        await this.show(this.changes);
      },
      subject: async ({ value }) => {
        this.choice = chooseSubject(this.choice, value);
        await page.replace('value', drawValue(this.choice));
        await page.replace('refused', drawAbout(this.choice));
      },
      value: ({ value }) => {
        this.choice = { ...this.choice, value };
        return Promise.resolve();
      },
      compare: () => this.compare(page),
      drop: ({ value }) => this.show(dropChange(this.changes, value)),
    };
  }

  /** Adds the choice to what is compared. A value that cannot be is refused on the page. */
  private async compare(page: Page): Promise<void> {
    try {
      await this.show(addChoice(this.changes, this.choice));
    } catch (error) {
      if (!isProblem(error, 'usage')) throw error;
      await page.replace('refused', drawRefused(describeError(error)));
    }
  }
}
