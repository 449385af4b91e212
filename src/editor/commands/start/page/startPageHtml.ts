import { MODE_WORDS } from '../../../../app/present/permissionModes';
import { count } from '../../../../app/present/text';
import { type Html, markup } from '../../../pages/html';
import { PERMISSION_WORDS, WINDOW_RULE_WORDS } from '../../../state/startPlan';
import { drawChanged } from './changedHtml';
import { drawLine } from './lineHtml';
import type { StartPageModel } from './startPageModel';

/** Draws the page. `note` is a sentence about what happened since it was shown before; null if nothing did. */
export function drawStartPage(model: StartPageModel, note: string | null): Html {
  return markup`<main>
<h1>Start</h1>
${note === null ? null : markup`<p class="note" role="alert">${note}</p>`}
<p class="note" id="changed" role="status" hidden>The queue changed after this page was opened. What you press counts for the rows as they are shown here. <button class="link" data-action="refresh">Show It Again</button></p>
<p class="sentence" tabindex="-1" data-focus>${drawSentence(model)}</p>
${notesOf(model).map((text) => markup`<p class="warning">${text}</p>`)}
<div class="columns"><section>${drawHow(model)}</section><section>${drawLine(model)}</section></div>
${drawChanged(model)}
</main>
<footer>${drawButtons(model)}</footer>`;
}

function notesOf({ unsaved, stopping, plan, viewModel }: StartPageModel): string[] {
  return [
    ...viewModel.stops.map(({ text }) => `No task starts now: ${text}.`),
    ...(unsaved === null ? [] : [`${unsaved} This page shows the file as it is on disk.`]),
    ...(stopping === null ? [] : [`${stopping} The new one starts after it.`]),
    ...(plan.versionNote === null ? [] : [plan.versionNote]),
  ];
}

function drawSentence(model: StartPageModel): Html {
  const { plan, user, machine, mode, isSignedOut, own } = model;
  if (isSignedOut)
    return markup`<strong>Claude Code is not signed in.</strong> Nothing runs until you sign in.`;
  const total = plan.approved.length + plan.unapproved.length;
  const tasks =
    total === 0
      ? markup`<strong>no task yet</strong>, and later each approved one, unattended`
      : markup`<strong>${tally(model, `{sum} of ${count(total, 'task')} unattended`)}</strong>`;
  const may =
    mode === 'ask'
      ? markup`<strong>You have not chosen yet what it may do without asking.</strong>`
      : markup`Without asking, it may <strong>${MODE_WORDS[mode]}</strong>. Everything else is refused, and the task waits for your review.`;
  return markup`Claude will run ${tasks} on this machine, ${machine}, as <strong>${user}</strong>, <strong>${plan.payer}</strong>. ${may}${describeOwn(own)}`;
}

function describeOwn(own: readonly number[]): Html | null {
  if (own.length === 0) return null;
  const named = own.length > MOST_NAMED ? count(own.length, 'task') : `Task ${own.join(', ')}`;
  return markup` <strong>${named} ${own.length === 1 ? 'has' : 'have'} permissions of ${own.length === 1 ? 'its' : 'their'} own.</strong>`;
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
  return markup`<h2>How</h2>
<dl>
<dt>Account</dt><dd>${plan.title.replace(/^Start: /, '')}, as ${model.user} on ${model.machine}</dd>
<dt>Billing</dt><dd>${billing}. <button class="link" data-action="check">Check This Machine</button></dd>
<dt>Claude may</dt><dd>${PERMISSION_WORDS[mode]}. <button class="link" data-action="permissions">Change…</button></dd>
<dt>Ends</dt><dd>when you stop it. It waits for later tasks and for usage limits.</dd>
<dt>Last window closes</dt><dd>${WINDOW_RULE_WORDS[windowRule]}. <button class="link" data-action="windows">Change…</button></dd>
</dl>`;
}

function drawButtons(model: StartPageModel): Html {
  return markup`<div>${drawPrimary(model)}
${model.unsaved === null || isBlocked(model) ? null : markup`<button class="other" data-action="startUnsaved">Start Without Saving</button>`}
<button class="other" data-action="rehearse">Dry Run</button>
<button class="other" data-action="list">Show as List</button>
<button class="other" data-action="cancel">Cancel</button></div>
${model.changed.length === 0 ? null : markup`<p role="status">${tally(model, '{n} ticked. The others wait for your approval.', 'None ticked. What is not ticked waits for your approval.')}</p>`}`;
}

function isBlocked({ isSignedOut, mode }: StartPageModel): boolean {
  return isSignedOut || mode === 'ask';
}

function drawPrimary(model: StartPageModel): Html {
  if (model.isSignedOut) return markup`<button class="main" data-action="signIn">Sign In…</button>`;
  if (model.mode === 'ask')
    return markup`<button class="main" data-action="permissions">Choose Permissions…</button>`;
  const { plan, unsaved } = model;
  const approved = plan.approved.length;
  const start =
    approved === 0 ? 'Start' : `Start ${String(approved)} Approved ${approved === 1 ? 'Task' : 'Tasks'}`;
  const [none, some] =
    unsaved === null
      ? [start, 'Approve {n} and Start']
      : [start.replace('Start', 'Save and Start'), 'Save, Approve {n} and Start'];
  return markup`<button class="main" data-action="start" data-none="${none}" data-some="${some}">${none}</button>`;
}
