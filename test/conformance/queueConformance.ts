import { describeAnswers } from './answerScenarios';
import { describeCapacity } from './capacityScenarios';
import { describeNotices } from './noticeScenarios';
import { describeOrder } from './orderScenarios';
import { describeOutcomes } from './outcomeScenarios';
import { describeOwnership } from './ownershipScenarios';
import { describeEdits } from './editScenarios';
import { describePeople } from './peopleScenarios';
import { describeReset } from './resetScenarios';
import { describeRules } from './ruleScenarios';
import { describeTurns } from './turnScenarios';
import { describeWaiting } from './waitingScenarios';
import { Harness } from './harness';
import type { OpenSystemUnderTest } from './systemUnderTest';

/** Gives each scenario a queue of its own. */
export type Scenario = (sentence: string, play: (harness: Harness) => Promise<void>) => void;

/** What every store of a queue must do: the same scenarios, whatever keeps the queue. */
export function exerciseQueue(name: string, open: OpenSystemUnderTest): void {
  const scenario: Scenario = (sentence, play) => {
    it(sentence, async () => {
      const harness = new Harness();
      await harness.open(open);
      try {
        await play(harness);
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
    describeOwnership(scenario);
    describePeople(scenario);
    describeEdits(scenario);
    describeReset(scenario);
    describeNotices(scenario);
    describeAnswers(scenario);
  });
}
