import { MODE_WORDS } from '../../app/present/permissionModes';
import { PRIORITIES } from '../../domain/task/priority';
import { PERMISSION_MODES } from '../../domain/task/task';
import { capitalize } from '../../platform/text/plainText';
import { t } from '../../platform/text/translate';
import { markup, type Html } from '../pages/html';
import { LABELS, type Field } from './formValues';

/** Fixed parts of the page. */
export interface FormPage {
  readonly title: string;
  /** Text of the first button. */
  readonly button: string;
  /** Whether another task can follow. */
  readonly isNew: boolean;
  readonly allowBypass: boolean;
}

/** Renders the body of the form's page. Texts of tasks come later, as messages. */
export function renderForm(page: FormPage): Html {
  return markup`<form id="form" novalidate autocomplete="off" aria-labelledby="title">
<main>
<h1 id="title">${page.title}</h1>
${renderFields(page)}
</main>
${renderFooter(page)}
</form>`;
}

function renderFields(page: FormPage): readonly Html[] {
  return [
    renderRow(
      'prompt',
      markup`${renderPrompt()}<div id="attachments" role="list" aria-label="${t('Context')}" data-remove="${t('Remove context {0}')}" data-context="${t('Context {0}')}"></div>`,
    ),
    renderRow(
      'folder',
      markup`${renderInput('folder', '', markup`list="folders"`)}<button type="button" class="link" id="browse">${t('Browse…')}</button><datalist id="folders"></datalist>`,
    ),
    renderRow('priority', renderSelect('priority', [['', t('Default')], ...PRIORITIES.map(sameText)])),
    renderRow('dependencies', renderDependencies(), 'after'),
    renderRow('time', renderInput('time', 'tomorrow 2am, 22:30, in 2 h')),
    renderRow('repeat', renderRepeat()),
    renderProblem('repeatAt'),
    renderProblem('interval'),
    renderRow('mode', renderSelect('mode', modesOf(page))),
    renderRow('tools', renderInput('tools', 'Read|Bash(npm test)')),
    renderRow('check', renderInput('check', 'npm test')),
    renderMore(),
  ];
}

function sameText(text: string): readonly [string, string] {
  return [text, text];
}

function modesOf({ allowBypass }: FormPage): (readonly [string, string])[] {
  const modes = PERMISSION_MODES.filter((mode) => allowBypass || mode !== 'bypassPermissions');
  return [['', t('Default')], ...modes.map((mode) => [mode, capitalize(MODE_WORDS[mode])] as const)];
}

/** Renders a field with its label, its hint and its problem. `control` is the id of what the label belongs to. */
function renderRow(field: Field, control: Html, id: string = field): Html {
  return markup`<div class="row"><label for="${id}">${LABELS[field]}</label><div class="cell"><div class="control">${control}</div>${renderNotes(field)}</div></div>`;
}

function renderNotes(field: Field): Html {
  return markup`<p class="hint" id="${`hint-${field}`}" hidden></p><p class="problem" id="${`problem-${field}`}" hidden></p>`;
}

function renderProblem(field: Field): Html {
  return markup`<div class="row under"><span></span><div class="cell">${renderNotes(field)}</div></div>`;
}

function describedBy(field: Field): Html {
  return markup`aria-describedby="${`hint-${field} problem-${field}`}"`;
}

function renderPrompt(): Html {
  return markup`<textarea id="prompt" data-field="prompt" rows="6" required spellcheck="true" ${describedBy('prompt')} placeholder="${t('Write what Claude should do.')}"></textarea><button type="button" class="link" id="editPrompt" aria-label="${t('Edit Prompt in Editor')}">${t('Edit in Editor')}</button>`;
}

function renderSystemPrompt(): Html {
  return markup`<textarea id="systemPrompt" data-field="systemPrompt" rows="3" spellcheck="true" ${describedBy('systemPrompt')} placeholder="${t("Added to Claude Code's system prompt")}"></textarea>`;
}

function renderInput(field: Field, placeholder: string, more: Html | null = null): Html {
  return markup`<input type="text" id="${field}" data-field="${field}" placeholder="${placeholder}" ${describedBy(field)} ${more}>`;
}

function renderSelect(field: Field, options: readonly (readonly [value: string, text: string])[]): Html {
  const drawn = options.map(([value, text]) => markup`<option value="${value}">${text}</option>`);
  return markup`<select id="${field}" data-field="${field}" ${describedBy(field)}>${drawn}</select>`;
}

function renderDependencies(): Html {
  return markup`<div class="chips"><span id="chips" role="list" aria-label="${t('Tasks to wait for')}" data-remove="${t('Remove {0}')}"></span><input type="text" id="after" list="tasks" placeholder="${t('Type an id or words of a prompt')}" ${describedBy('dependencies')}><input type="hidden" id="dependencies" data-field="dependencies"><datalist id="tasks"></datalist></div>`;
}

function renderRepeat(): Html {
  const choices = renderSelect('repeat', [
    ['no', t('Does not repeat')],
    ['day', t('Every day at a time')],
    ['weekday', t('Every weekday at a time')],
    ['interval', t('By an interval or cron expression')],
  ]);
  const at = renderInput('repeatAt', '09:00', markup`aria-label="${LABELS.repeatAt}" hidden`);
  return markup`${choices}${at}${renderInput('interval', '12h, weekly, 0 9 * * 1', markup`aria-label="${LABELS.interval}" hidden`)}`;
}

function renderMore(): Html {
  const rows = [
    renderRow('deadline', renderInput('deadline', 'friday 18:00')),
    renderRow('model', renderInput('model', 'opus, sonnet')),
    renderRow('timeout', renderInput('timeout', '90m, 2h')),
    renderRow('retries', renderInput('retries', '3')),
    renderRow('user', renderInput('user', t('one name'))),
    renderRow('tags', renderInput('tags', 'docs, urgent')),
    renderRow('promptFile', renderInput('promptFile', 'notes/task.md')),
    renderRow('systemPrompt', renderSystemPrompt()),
  ];
  return markup`<details id="more"><summary>${t('More: deadline, model, timeout, retries, user, tags, prompt file, system prompt')}</summary>${rows}</details>`;
}

function renderFooter({ button, isNew }: FormPage): Html {
  const again = isNew
    ? markup`<button type="button" class="secondary" id="again">${t('Add and New')}</button>`
    : null;
  return markup`<footer>
<p id="failure" role="alert" hidden></p>
<p id="outcome" role="status"><strong id="lead"></strong> <span id="rest"></span></p>
<div class="buttons"><button type="submit" class="primary">${button}</button>${again}<button type="button" class="secondary" id="cancel">${t('Cancel')}</button><span class="keys" aria-hidden="true"><kbd>Ctrl</kbd> <kbd>Enter</kbd></span></div>
</footer>`;
}
