import type { Rehearsed } from '../../../app/checks/rehearsal';
import {
  describeRehearsed,
  groupRehearsed,
  nameTask,
  summarizeRehearsal,
  type RehearsedGroup,
} from '../../../app/present/rehearsal';
import { capitalize } from '../../../platform/text/plainText';
import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';

/** Draws the result of a dry run; the value of an action is the id of its task. */
export function drawRehearsal(rehearsed: readonly Rehearsed[], time: string): Html {
  return markup`<main>
<h1>${t('Dry Run Next 24 Hours')}</h1>
<p class="sentence" tabindex="-1" data-focus>${summarizeRehearsal(rehearsed)}</p>
<div class="tools"><button class="other" data-action="refresh">${t('Refresh')}</button><small>${t('As of {0}.', time)}</small></div>
${groupRehearsed(rehearsed).map(drawGroup)}
</main>`;
}

function drawGroup({ title, tasks, isFine }: RehearsedGroup): Html {
  const list =
    isFine === true
      ? markup`<ul>${tasks.map((one) => markup`<li>${drawName(one)}</li>`)}</ul>`
      : markup`<ul class="findings">${tasks.map(drawTask)}</ul>`;
  return markup`<section><h2>${title}</h2>${list}</section>`;
}

function drawName(one: Rehearsed): Html {
  return markup`<button class="link" data-action="row" data-value="${nameTask(one)}">${describeRehearsed(one).name}</button>`;
}

function drawTask(one: Rehearsed): Html {
  const { permissions, lacks, approval, trust, refused } = describeRehearsed(one);
  const warnings = [...lacks, approval, trust, refused].flatMap((text) => text ?? []);
  const isBad = lacks.length > 0;
  return markup`<li><span class="mark ${isBad ? 'problem' : 'note'}" aria-hidden="true">${isBad ? '✗' : '!'}</span>
<div>${drawName(one)}<p>${permissions}</p>${warnings.map((text) => markup`<p class="warning">${capitalize(text)}</p>`)}</div>
<div class="buttons">${drawButtons(one)}</div></li>`;
}

function drawButtons(one: Rehearsed): readonly (Html | null)[] {
  const { lacks, isApproved, isTrusted, refused } = one;
  const id = nameTask(one);
  const button = (action: string, title: string): Html =>
    markup`<button class="other" data-action="${action}" data-value="${id}" aria-label="${t('{0} (task {1})', title, id)}">${title}</button>`;
  return [
    lacks.length === 0 ? null : button('edit', t('Edit Task…')),
    isApproved ? null : button('approve', t('Approve…')),
    refused.length === 0 ? null : button('allow', t('Allow Tools and Retry…')),
    isTrusted ? null : button('trust', t('Trust Folder…')),
  ];
}
