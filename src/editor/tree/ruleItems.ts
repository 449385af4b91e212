import type { Refusal } from '../../app/actions/tasks/allowTools';
import { hideIcons } from '../hiddenLinks';
import { cutText } from '../../platform/text/plainText';
import { t } from '../../platform/text/translate';

/** Rule that the user may pick. */
export interface RuleItem {
  readonly label: string;
  readonly rule: string;
  readonly detail?: string;
  readonly picked?: boolean;
}

/** Maximum characters that a list draws of a rule; a longer one is not picked in advance. */
const RULE_WIDTH = 80;

/**
 * Lists the narrow rules for what was refused, each once. A single rule is picked in advance if it is fully visible.
 */
export function toRuleItems(refusals: readonly Refusal[]): RuleItem[] {
  const narrow = refusals.flatMap((refusal) =>
    refusal.rule === null ? [] : [{ ...refusal, rule: refusal.rule }],
  );
  return narrow.map(({ rule, isAllowed, hasNotHelped }) => {
    const shown = cutText(rule, RULE_WIDTH);
    const notes = [
      ...(isAllowed ? [t('allowed since on this machine: its next attempt here may do it')] : []),
      ...(hasNotHelped ? [t('was already allowed, and refused anyway')] : []),
      ...(rule.length > RULE_WIDTH ? [`…${rule.slice(shown.length).replaceAll(/\s+/g, ' ')}`] : []),
    ];
    return {
      label: hideIcons(shown.replaceAll(/\s+/g, ' ')),
      rule,
      picked: narrow.length === 1 && rule.length <= RULE_WIDTH && !hasNotHelped,
      ...(notes.length === 0 ? {} : { detail: hideIcons(notes.join(' · ')) }),
    };
  });
}
