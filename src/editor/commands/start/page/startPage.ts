import { readKnownRows } from '../../../../app/approval/approvedChanges';
import * as os from 'node:os';
import type * as vscode from 'vscode';
import { takeRehearsal } from '../../../../app/checks/takeRehearsal';
import { isSignedOut } from '../../../../app/present/installation';
import { describeStopping, describeWorkers, findStop } from '../../../../app/present/workers';
import type { Installation } from '../../../../claude/installation/installation';
import type { CommandName } from '../../../commandIds';
import { callCommand } from '../../../callCommand';
import { markup } from '../../../pages/html';
import type { Page, PageActions } from '../../../pages/page';
import type { PageMessage } from '../../../pages/pageMessage';
import type { ExtensionServices } from '../../../state/extensionServices';
import { viewModelOf } from '../../../state/queueState';
import { planStart, type StartPlan } from '../../../state/startPlan';
import { showProgress } from '../../../status/progress';
import { offerAdoption } from '../../queue/offerAdoption';
import { describeUnsaved, findUnsaved } from '../../tasks/saveFirst';
import { showRow } from '../../tasks/showRow';
import { approveChosen, askAnew } from '../approveChosen';
import { choosePermissions, chooseWindowRule } from '../chooseSettings';
import { launch } from '../launch';
import { describeTerms, TERMS_CHANGED } from '../terms';
import { drawStartPage } from './startPageHtml';
import { buildStartPage, keyOf, keyOfPlan, type StartFacts } from './startPageModel';
import { START_PAGE_STYLE } from './startPageStyle';
import { userName } from '../../../../platform/processes/machine';
import { t } from '../../../../platform/text/translate';

const TITLE = t('Start Queue');

/** Shows what Start would do on a page, where it can be approved and started. */
export async function showStartPage(services: ExtensionServices): Promise<void> {
  if ((await offerAdoption(services)) === 'declined') return;
  const installation = await showProgress(t('Waiting for Claude Code…'), askAnew(services));
  const page = services.pages.show('start', TITLE);
  await new StartPage(services, page).show(installation, null);
}

/** Content of the page, and its terms. */
interface Shown {
  readonly facts: StartFacts;
  readonly installation: Installation;
  readonly terms: string;
}

/** Follows the queue for the content of each page: the page stays open when another Start is shown on it. */
const WATCHES = new WeakMap<Page, vscode.Disposable>();

/** Page of a Start. It is not drawn again by itself, so that nothing changes under the mouse. */
class StartPage {
  constructor(
    private readonly services: ExtensionServices,
    private readonly page: Page,
  ) {
    page.onDidClose(() => {
      this.endWatch();
    });
  }

  /** Shows the queue as it is now; `note` says why it is shown again. */
  async show(installation: Installation, note: string | null): Promise<void> {
    this.endWatch();
    const facts = await collectFacts(this.services, installation);
    const { snapshot } = facts.viewModel;
    if (snapshot.workers.length > 0 && findStop(snapshot) === null) return this.showRunning(facts);
    const shown = { facts, installation, terms: describeTerms(this.services, installation) };
    const body = drawStartPage(await buildStartPage(facts), note);
    await this.page.show({ title: TITLE, body, style: START_PAGE_STYLE }, this.actionsFor(shown));
    this.watch({ plan: facts.plan, installation });
  }

  private async showRunning({ viewModel }: StartFacts): Promise<void> {
    const body = markup`<main><h1>${t('Start')}</h1>
<p class="sentence" tabindex="-1" data-focus>${describeWorkers(viewModel.snapshot, viewModel.world)} ${t('It takes new tasks by itself, once you approve them.')}</p>
<p class="buttons"><button class="main" data-action="showWork">${t('Show Worker Terminal')}</button>
<button class="other" data-action="approve">${t('Approve Tasks…')}</button>
<button class="other" data-action="refresh">${t('Show It Again')}</button></p></main>`;
    await this.page.show(
      { title: TITLE, body, style: START_PAGE_STYLE },
      {
        showWork: runCommand(this.services, 'showWork'),
        approve: runCommand(this.services, 'approve'),
        refresh: () => this.refresh(null),
      },
    );
  }

  /** Says on the page that the queue, or a setting that the user agrees to, is no longer as shown. */
  private watch({ plan, installation }: { plan: StartPlan; installation: Installation }): void {
    const { queueModel } = this.services;
    const keyNow = (current: StartPlan): string =>
      [keyOfPlan(current), describeTerms(this.services, installation)].join('\n');
    const key = keyNow(plan);
    const watch = queueModel.onDidChange((state) => {
      const viewModel = viewModelOf(state);
      if (viewModel === null || keyNow(planStart(viewModel, installation)) === key) return;
      void this.page.unhide('changed');
    });
    this.endWatch();
    WATCHES.set(this.page, watch);
  }

  private endWatch(): void {
    WATCHES.get(this.page)?.dispose();
  }

  private actionsFor(shown: Shown): PageActions {
    const { services } = this;
    const { facts, installation } = shown;
    const again = async (ask: () => Promise<unknown>): Promise<void> => {
      await ask();
      await this.show(installation, null);
    };
    return {
      start: (message) => this.start(shown, message, true),
      startUnsaved: (message) => this.start(shown, message, false),
      permissions: () => again(() => choosePermissions(services, installation)),
      windows: () => again(() => chooseWindowRule(services)),
      signIn: async () => {
        await runCommand(this.services, 'signIn')();
        await this.refresh(null);
      },
      refresh: () => this.refresh(null),
      row: async ({ value }) => {
        const { plan } = facts;
        const row = [...plan.unapproved, ...plan.approved].find(
          ({ task }) => String(task.definition.id) === value,
        );
        if (row !== undefined) await showRow(services, { taskId: row.task.definition.id });
      },
      check: runCommand(this.services, 'checkMachine'),
      rehearse: runCommand(this.services, 'rehearse'),
      list: async () => {
        this.page.close();
        await runCommand(this.services, 'start')();
      },
      cancel: () => {
        this.page.close();
        return Promise.resolve();
      },
    };
  }

  private async refresh(note: string | null): Promise<void> {
    await this.show(await askAnew(this.services), note);
  }

  /** Approves the ticked rows exactly as shown, and starts; shows the page again if its terms changed. */
  private async start(shown: Shown, { ticked }: PageMessage, isSaving: boolean): Promise<void> {
    const { services } = this;
    const { plan, mode } = shown.facts;
    if (mode === 'ask' || shown.facts.isSignedOut) return;
    const installation = await showProgress(t('Waiting for Claude Code…'), askAnew(services));
    const facts = await collectFacts(services, installation);
    if (describeTerms(services, installation) !== shown.terms || isOther(facts, shown.facts))
      return this.show(installation, TERMS_CHANGED);
    if (isSaving && !(await save(services))) return;
    const chosen = plan.unapproved.filter((row) => ticked.includes(keyOf(row)));
    await approveChosen(services, plan, chosen);
    if (!(await launch(services, shown.terms))) return this.refresh(TERMS_CHANGED);
    this.page.close();
  }
}

/** Whether the queue file has other unsaved changes than shown, or another window started or ended a worker. */
function isOther(now: StartFacts, shown: StartFacts): boolean {
  const isRunning = ({ viewModel }: StartFacts): boolean => viewModel.snapshot.workers.length > 0;
  return now.unsaved !== shown.unsaved || isRunning(now) !== isRunning(shown);
}

async function collectFacts(services: ExtensionServices, installation: Installation): Promise<StartFacts> {
  const { queueModel, settings } = services;
  const session = await queueModel.useQueue();
  return session.use(async () => {
    const viewModel = await session.look();
    const unsaved = await findUnsaved(services);
    const { snapshot } = viewModel;
    return {
      plan: planStart(viewModel, installation),
      viewModel,
      rehearsed: await takeRehearsal(session.queueContext, session.queue, viewModel),
      knownRows: await readKnownRows(session.queueContext.openApprovals()),
      mode: settings.permissionMode,
      windowRule: settings.whenLastWindowCloses,
      user: userName(),
      machine: os.hostname(),
      isSignedOut: isSignedOut(installation),
      unsaved: unsaved === undefined ? null : describeUnsaved(unsaved),
      stopping: findStop(snapshot) === null ? null : describeStopping(snapshot),
    };
  });
}

async function save(services: ExtensionServices): Promise<boolean> {
  const document = await findUnsaved(services);
  return document === undefined || document.save();
}

function runCommand(services: ExtensionServices, name: CommandName): () => Promise<void> {
  return () => callCommand(services, name);
}
