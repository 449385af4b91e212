import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { TaskWorld } from '../../../domain/reasons/world';
import { formatTime } from '../../../domain/time/moment';
import { describeStateFully, STANDINGS } from '../../queueFile/lenses/stateSentence';
import { cutWords, toSpokenSentence } from '../../spokenText';
import type { TreeRow } from './treeRow';
import { t } from '../../../platform/text/translate';
import { COMMA } from '../../../app/present/text';

/** Characters of a state, and of a prompt. */
const WIDTH = 100;

/** Returns the text of a row for screen readers: a sentence in words. */
export function speakRow({ spoken, label, description }: TreeRow): string {
  return toSpokenSentence(spoken ?? (description === '' ? label : `${label}: ${description}`));
}

/** Describes a task for screen readers: its state, whether it is late, its id and prompt, and its priority. */
export function speakTask(shown: TaskViewModel, world: TaskWorld, age: string): string {
  const { task, service, effectivePriority } = shown;
  const { id, prompt } = task.definition;
  const standing = service === null ? undefined : STANDINGS[service.standing];
  const state = [speakState(shown, world, age), standing].filter((part) => part !== undefined).join(COMMA);
  const name = cutWords(prompt, WIDTH);
  return service?.explicit === true
    ? t(
        '{0}, task {1}: {2}. Due {3}. Priority {4}',
        state,
        id,
        name,
        formatTime(service.by, world),
        effectivePriority,
      )
    : t('{0}, task {1}: {2}. Priority {3}', state, id, name, effectivePriority);
}

function speakState(shown: TaskViewModel, world: TaskWorld, age: string): string {
  const { claim, state } = shown.task;
  if (shown.reason.state === 'running')
    return claim?.owner.kind === 'person' ? t('With {0}', age) : t('Running for {0}', age);
  const text = cutWords(describeStateFully(shown, world), WIDTH).replace(/[.。…\s]+$/, '');
  return shown.place !== null && state.resume !== null ? t('{0}, resumes', text) : text;
}
