import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { Service } from '../../../domain/order/service';
import type { World } from '../../../domain/reasons/world';
import { formatTime } from '../../../domain/time/moment';
import { describeStateFully } from '../../queueFile/lenses/lensSentence';
import { cutWords, toSpokenSentence } from '../../spokenText';
import type { TreeRow } from './treeRow';

/** Characters of a state, and of a prompt. */
const WIDTH = 100;

/** Returns the text of a row for screen readers: a sentence in words. */
export function speakRow({ spoken, label, description }: TreeRow): string {
  return toSpokenSentence(spoken ?? (description === '' ? label : `${label}: ${description}`));
}

/** Describes a task for screen readers: its state, whether it is late, its id and prompt, and its priority. */
export function speakTask(shown: TaskViewModel, world: World, age: string): string {
  const { task, service, effectivePriority } = shown;
  const { id, prompt } = task.definition;
  const state = `${speakState(shown, world, age)}${speakStanding(service)}`;
  const due = service?.explicit === true ? ` Due ${formatTime(service.by, world)}.` : '';
  return `${state}, task ${String(id)}: ${cutWords(prompt, WIDTH)}.${due} Priority ${effectivePriority}`;
}

function speakState(shown: TaskViewModel, world: World, age: string): string {
  const { claim, state } = shown.task;
  if (shown.reason.shown === 'running')
    return claim?.owner.kind === 'person' ? `With ${age}` : `Running for ${age}`;
  const text = cutWords(describeStateFully(shown, world), WIDTH).replace(/[.…\s]+$/, '');
  return shown.place !== null && state.resume !== null ? `${text}, resumes` : text;
}

const STANDINGS: Readonly<Record<Service['standing'], string>> = {
  'in-time': '',
  'at-risk': ', at risk',
  violated: ', late',
};

function speakStanding(service: Service | null): string {
  return service === null ? '' : STANDINGS[service.standing];
}
