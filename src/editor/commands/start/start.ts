import { STATE_NAMES } from '../../../app/present/reasons/stateNames';
import { describeStopping, findStop } from '../../../app/present/workers';
import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import type { Installation } from '../../../claude/installation/installation';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import type { ExtensionServices } from '../../state/extensionServices';
import { planStart, whyNotNow } from '../../state/startPlan';
import { showProgress } from '../../status/progress';
import { showWork } from '../../terminals/terminals';
import { offerAdoption } from '../queue/offerAdoption';
import { saveFirst } from '../tasks/saveFirst';
import { approveChosen, askAnew } from './approveChosen';
import { choosePermissions, chooseWindowRule } from './chooseSettings';
import { launch } from './launch';
import { showStartPage } from './page/startPage';
import { showStartList, type StartChoice } from './startList';
import { describeTerms, TERMS_CHANGED } from './terms';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

/** Shows what would run and starts the worker, or shows the one that is already running. */
export async function start(services: ExtensionServices): Promise<void> {
  const snapshot = await (await services.queueModel.useQueue()).queue.read();
  const { workers } = snapshot;
  if (workers.length > 0) {
    if (findStop(snapshot) === null) return showWork(services);
    const isWanted = await offerStartAfter(services, describeStopping(snapshot));
    if (!isWanted) return;
  }
  const terms = await confirm(services);
  if (terms === null || (await launch(services, terms))) return;
  void showInformation(TERMS_CHANGED);
  return start(services);
}

/** Says that the worker is stopping, and asks whether to start another one after it. */
async function offerStartAfter(services: ExtensionServices, sentence: string): Promise<boolean> {
  const [after, show] = [t('Start Again After It'), t('Show Worker Terminal')];
  const answer = await showInformation(sentence, after, show);
  if (answer === show) await showWork(services);
  return answer === after;
}

/**
 * Shows what would run, as whom and with which permissions, and approves exactly what was listed. Asks Claude Code
 * again for its account, and reads the settings again. Shows it all again if the terms changed meanwhile. Returns the
 * terms that the user agreed to; null if the user left.
 * @throws Problem `claude-missing`, `settings-invalid`, `not-running`
 */
export async function confirm(services: ExtensionServices, only?: TaskId): Promise<string | null> {
  if (!(await saveFirst(services)) || (await offerAdoption(services)) === 'declined') return null;
  let installation = await showProgress(t('Waiting for Claude Code…'), askAnew(services));
  for (;;) {
    if (services.settings.permissionMode === 'ask' && !(await choosePermissions(services, installation)))
      return null;
    const session = await services.queueModel.useQueue();
    const viewModel = await session.look();
    requireRunnable(viewModel, only);
    const plan = planStart(viewModel, installation, only);
    const terms = describeTerms(services, installation);
    const choice = await showStartList(services, session, plan, viewModel);
    if (choice === null) return null;
    if (await isMore(services, choice, installation)) continue;
    if (choice === 'page') {
      await showStartPage(services);
      return null;
    }
    installation = await showProgress(t('Waiting for Claude Code…'), askAnew(services));
    if (describeTerms(services, installation) !== terms) {
      void showInformation(TERMS_CHANGED);
      continue;
    }
    const chosen = choice === 'approve-and-start' ? plan.unapproved : [];
    return (await approveChosen(services, plan, chosen)) ? terms : null;
  }
}

/** Refuses the one task to run, if there is one, if it cannot run now. @throws Problem `not-running` */
function requireRunnable(viewModel: QueueViewModel, only: TaskId | undefined): void {
  if (only === undefined) return;
  const why = whyNotNow(viewModel, only);
  if (why === null) return;
  const state = STATE_NAMES[why.state];
  const reason = why.text === '' ? state : `${state} (${why.text})`;
  throw new Problem('not-running', t('Task {0} cannot run now: {1}.', only, reason));
}

/** Carries out a choice of settings; returns whether it was one, so that the list is shown again. */
async function isMore(
  services: ExtensionServices,
  choice: StartChoice,
  claude: Installation,
): Promise<boolean> {
  if (choice === 'permissions') await choosePermissions(services, claude);
  else if (choice === 'windows') await chooseWindowRule(services);
  else return false;
  return true;
}
