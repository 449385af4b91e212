import { describeAnswers } from './scenarios/answerScenarios';
import { describeComments } from './scenarios/commentScenarios';
import { describeCapacity } from './scenarios/capacityScenarios';
import { describeCallbacks } from './scenarios/callbackScenarios';
import { describeAllDone } from './scenarios/allDoneScenarios';
import { describeNotices } from './scenarios/noticeScenarios';
import { describeOrder } from './scenarios/orderScenarios';
import { describeOutcomes } from './scenarios/outcomeScenarios';
import { describeOwnership } from './scenarios/ownershipScenarios';
import { describeEdits } from './scenarios/editScenarios';
import { describePeople } from './scenarios/peopleScenarios';
import { describeReviews } from './scenarios/reviewScenarios';
import { describeReset } from './scenarios/resetScenarios';
import { describeRules } from './scenarios/ruleScenarios';
import { describeTurns } from './scenarios/turnScenarios';
import { describeWaiting } from './scenarios/waitingScenarios';
import { checkReplay } from '../support/queue/replayed';
import { Harness } from './harness';
import type { OpenSystemUnderTest } from './systemUnderTest';

/** Gives each scenario a queue of its own. */
export type Scenario = (sentence: string, play: (harness: Harness) => Promise<void>) => void;

/** Whether the queue can be used by one machine at a time, or by several. */
export type Machines = 'one' | 'several';

/** Registers the scenarios that every store of a queue must pass. */
export function exerciseQueue(name: string, open: OpenSystemUnderTest, machines: Machines = 'one'): void {
  const scenario: Scenario = (sentence, play) => {
    it(sentence, async () => {
      const harness = new Harness();
      await harness.open(open);
      try {
        await play(harness);
        await checkReplay(harness.queue);
      } finally {
        await harness.subject.close();
      }
    });
  };
  describe(name, () => {
    describeOrder(scenario);
    describeTurns(scenario);
    describeWaiting(scenario);
    describeRules(scenario);
    describeCapacity(scenario);
    describeOutcomes(scenario);
    describeOwnership(scenario, machines);
    describePeople(scenario);
    describeEdits(scenario);
    describeReviews(scenario);
    describeReset(scenario);
    describeNotices(scenario);
    describeAllDone(scenario);
    describeCallbacks(scenario);
    describeAnswers(scenario);
    describeComments(scenario);
  });
}
