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
import { Bench } from './bench';
import type { OpenSubject } from './subject';

/** Gives each scenario a queue of its own. */
export type Scenario = (sentence: string, play: (bench: Bench) => Promise<void>) => void;

/** What every store of a queue must do: the same scenarios, whatever keeps the queue. */
export function exerciseQueue(name: string, open: OpenSubject): void {
  const scenario: Scenario = (sentence, play) => {
    it(sentence, async () => {
      const bench = new Bench();
      await bench.open(open);
      try {
        await play(bench);
      } finally {
        await bench.subject.close();
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
