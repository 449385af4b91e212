import type { ShownState } from '../../domain/reasons/reason';
import type { Tone } from './line';

const TONES: Readonly<Record<ShownState, Tone>> = {
  invalid: 'red',
  unapproved: 'yellow',
  ready: 'bold',
  scheduled: 'dim',
  blocked: 'dim',
  stuck: 'red',
  retrying: 'yellow',
  waiting: 'dim',
  running: 'cyan',
  review: 'yellow',
  completed: 'green',
  cancelled: 'dim',
  dead: 'red',
};

/** Returns the style of a task's state. */
export function stateTone(shown: ShownState): Tone {
  return TONES[shown];
}
