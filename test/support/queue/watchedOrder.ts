import type { TaskQueue, ClaimRequest } from '../../../src/queue/taskQueue';
import type { Clock } from '../../../src/platform/clock';
import { checkNext, nextByRule } from './nextByRule';

/**
 * A queue that looks at each claim whether it gave the next by the rule. A claim that goes with an end is made after it,
 * so that there is a moment to look at.
 */
export function watchOrder(queue: TaskQueue, clock: Clock): TaskQueue {
  const claim = async (request: ClaimRequest, op: string): ReturnType<TaskQueue['claim']> => {
    const before = await queue.read();
    const next = nextByRule(before, request, clock.now());
    const answer = await queue.claim(request, op);
    checkNext(answer, next);
    return answer;
  };
  const finish: TaskQueue['finish'] = async (ref, end, op, next) => {
    await queue.finish(ref, end, op);
    return next === undefined ? undefined : claim(next, `${op}-next`);
  };
  return new Proxy(queue, {
    get: (target, name) => {
      if (name === 'claim') return claim;
      if (name === 'finish') return finish;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
