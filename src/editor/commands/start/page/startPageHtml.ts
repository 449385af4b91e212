import { MODE_WORDS } from '../../../../app/present/permissionModes';
import { fill, type Html, type HtmlPart, markup } from '../../../pages/html';
import { PERMISSION_WORDS, WINDOW_RULE_WORDS } from '../../../state/startPlan';
import { drawChanged } from './changedHtml';
import { drawLine } from './lineHtml';
import type { StartPageModel } from './startPageModel';
import { t } from '../../../../platform/text/translate';

/** Draws the page. `note` is a sentence about what happened since it was shown before; null if nothing did. */
export function drawStartPage(model: StartPageModel, note: string | null): Html {
  return markup`<main>
<h1>${t('Start')}</h1>
${note === null ? null : markup`<p class="note" role="alert">${note}</p>`}
<p class="note" id="changed" role="status" hidden>${t('The queue or a setting changed after this page was opened. What you press counts for the rows as they are shown here.')} <button class="link" data-action="refresh">${t('Show It Again')}</button></p>
<p class="sentence" tabindex="-1" data-focus>${drawSentence(model)}</p>
${notesOf(model).map((text) => markup`<p class="warning">${text}</p>`)}
<div class="columns"><section>${drawHow(model)}</section><section>${drawLine(model)}</section></div>
${drawChanged(model)}
</main>
<footer>${drawButtons(model)}</footer>`;
}

function notesOf({ unsaved, stopping, plan, viewModel }: StartPageModel): string[] {
  return [
    ...viewModel.stops.map(({ text }) => t('No task starts now: {0}.', text)),
    ...(unsaved === null ? [] : [`${unsaved} ${t('This page shows the file as it is on disk.')}`]),
    ...(stopping === null ? [] : [`${stopping} ${t('The new one starts after it.')}`]),
    ...(plan.versionNote === null ? [] : [plan.versionNote]),
  ];
}

function drawSentence(model: StartPageModel): Html {
  const { mode, isSignedOut, own } = model;
  if (isSignedOut)
    return markup`${bold(t('Claude Code is not signed in.'))} ${t('Nothing runs until you sign in.')}`;
  const may =
    mode === 'ask'
      ? bold(t('You have not chosen yet what it may do without asking.'))
      : fill(
          t('Without asking, it may {0}. Everything else is refused, and the task waits for your review.'),
          bold(MODE_WORDS[mode]),
        );
  return markup`${drawTasks(model)} ${may}${own.length === 0 ? null : markup` ${bold(describeOwn(own))}`}`;
}

function drawTasks(model: StartPageModel): Html {
  const { plan, user, machine } = model;
  const total = plan.approved.length + plan.unapproved.length;
  const facts = [machine, bold(user), bold(plan.payer)];
  if (total === 0)
    return fill(
      t('Claude will run {0}, and later each approved one, unattended on this machine, {1}, as {2}, {3}.'),
      bold(t('no task yet')),
      ...facts,
    );
  const words = total === 1 ? t('{sum} of 1 task unattended') : t('{sum} of {0} tasks unattended', total);
  return fill(
    t('Claude will run {0} on this machine, {1}, as {2}, {3}.'),
    bold(tally(model, words)),
    ...facts,
  );
}

function bold(part: HtmlPart): Html {
  return markup`<strong>${part}</strong>`;
}

function describeOwn(own: readonly number[]): string {
  if (own.length > MOST_NAMED) return t('{0} tasks have permissions of their own.', own.length);
  const listed = own.join(', ');
  return own.length === 1
    ? t('Task {0} has permissions of its own.', listed)
    : t('Tasks {0} have permissions of their own.', listed);
}

const MOST_NAMED = 8;

/** Text with counts that follow the ticks. */
function tally({ plan }: StartPageModel, some: string, none = some): Html {
  const base = plan.approved.length;
  return markup`<span data-base="${base}" data-none="${none}" data-some="${some}">${none.replaceAll('{sum}', String(base))}</span>`;
}

function drawHow(model: StartPageModel): Html {
  const { plan, viewModel, mode, windowRule } = model;
  const billing = [plan.payer, plan.unusedKeys ?? [], viewModel.usage].flat().join('; ');
  return markup`<h2>${t('How')}</h2>
<dl>
<dt>${t('Account')}</dt><dd>${t('{0}, as {1} on {2}', plan.claude, model.user, model.machine)}</dd>
<dt>${t('Billing')}</dt><dd>${t('{0}.', billing)} <button class="link" data-action="check">${t('Check This Machine')}</button></dd>
<dt>${t('Claude may')}</dt><dd>${t('{0}.', PERMISSION_WORDS[mode])} <button class="link" data-action="permissions">${t('Change…')}</button></dd>
<dt>${t('Ends')}</dt><dd>${t('when you stop it. It waits for later tasks and for usage limits.')}</dd>
<dt>${t('Last window closes')}</dt><dd>${t('{0}.', WINDOW_RULE_WORDS[windowRule])} <button class="link" data-action="windows">${t('Change…')}</button></dd>
</dl>`;
}

function drawButtons(model: StartPageModel): Html {
  return markup`<div>${drawPrimary(model)}
${model.unsaved === null || isBlocked(model) ? null : markup`<button class="other" data-action="startUnsaved">${t('Start Without Saving')}</button>`}
<button class="other" data-action="rehearse">${t('Dry Run')}</button>
<button class="other" data-action="list">${t('Show as List')}</button>
<button class="other" data-action="cancel">${t('Cancel')}</button></div>
${model.changed.length === 0 ? null : markup`<p role="status">${tally(model, t('{n} ticked. The others wait for your approval.'), t('None ticked. What is not ticked waits for your approval.'))}</p>`}`;
}

function isBlocked({ isSignedOut, mode }: StartPageModel): boolean {
  return isSignedOut || mode === 'ask';
}

function drawPrimary(model: StartPageModel): Html {
  if (model.isSignedOut) return markup`<button class="main" data-action="signIn">${t('Sign In…')}</button>`;
  if (model.mode === 'ask')
    return markup`<button class="main" data-action="permissions">${t('Choose Permissions…')}</button>`;
  const isSaved = model.unsaved === null;
  const approved = model.plan.approved.length;
  const none = isSaved ? nameStart(approved) : nameSaveAndStart(approved);
  const some = isSaved ? t('Approve {n} and Start') : t('Save, Approve {n} and Start');
  return markup`<button class="main" data-action="start" data-none="${none}" data-some="${some}">${none}</button>`;
}

function nameStart(approved: number): string {
  if (approved === 0) return t('Start');
  return approved === 1 ? t('Start 1 Approved Task') : t('Start {0} Approved Tasks', approved);
}

function nameSaveAndStart(approved: number): string {
  if (approved === 0) return t('Save and Start');
  return approved === 1
    ? t('Save and Start 1 Approved Task')
    : t('Save and Start {0} Approved Tasks', approved);
}
