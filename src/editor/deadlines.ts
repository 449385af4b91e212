import type { Picture } from '../app/picture';
import { shorten } from '../app/words';
import { tellTime } from '../domain/moment';
import type { Service } from '../domain/service';

/** What a person is to be told of deadlines, once. */
export interface DeadlineNotice {
  readonly message: string;
  /** All that is told by now of the deadlines that still stand, by this notice or before it: none of it is told again. */
  readonly keys: readonly string[];
}

const PROMPT_WIDTH = 50;

const WORDS: Readonly<Record<Exclude<Service['standing'], 'in-time'>, string>> = {
  'at-risk': 'may miss its deadline',
  violated: 'has missed its deadline',
};

/**
 * What is new about the deadlines that rows name; null: nothing. What follows from a priority alone is shown and never
 * told: nobody asked for it.
 */
export function planNotice({ tasks, world }: Picture, told: ReadonlySet<string>): DeadlineNotice | null {
  const standing = tasks.flatMap(({ task, service }) => {
    if (service === null || !service.explicit || service.standing === 'in-time') return [];
    const { id, prompt } = task.definition;
    const key = `${String(id)} ${String(service.by)} ${service.standing}`;
    const words = `Task ${String(id)} ${WORDS[service.standing]} (${tellTime(service.by, world)})`;
    return [{ key, text: `${words}: ${shorten(prompt, PROMPT_WIDTH)}` }];
  });
  const news = standing.filter(({ key }) => !told.has(key));
  const [first] = news;
  if (first === undefined) return null;
  const more = news.length === 1 ? '' : `, and ${String(news.length - 1)} more`;
  return { message: `${first.text}${more}`, keys: standing.map(({ key }) => key) };
}
