import { STATE_NAMES } from '../../app/present/reasons/stateNames';
import { shorten } from '../../app/present/text';
import type { Definition, TaskId } from '../../domain/task/task';
import { t } from '../../platform/text/translate';
import { inRunningOrder } from '../queueFile/completion/taskCandidates';
import { describeState } from '../queueFile/lenses/stateSentence';
import type { Attachment } from './attachments';
import { describeHints, type Hints } from './formHints';
import { describeOutcome, type Outcome } from './formOutcome';
import type { FormFacts } from './formFacts';
import { checkValues, dependentsOf, type FieldProblems } from './formProblems';
import type { FormValues } from './formValues';

/** Dependency that was chosen. */
export interface Chip {
  readonly id: string;
  readonly text: string;
  /** Whether it cannot be completed as it is. */
  readonly isBad: boolean;
}

/** Everything that the page shows of the values at one moment, as texts. */
export interface FormView {
  readonly problems: FieldProblems;
  readonly hints: Hints;
  readonly outcome: Outcome;
  readonly chips: readonly Chip[];
  /** Tasks that can be chosen as dependencies. */
  readonly tasks: readonly string[];
  readonly folders: readonly string[];
  readonly attachments: readonly Attachment[];
  /** Reason why nothing was written; null: nothing failed. */
  readonly failure: string | null;
  /** Whether the values are being written. */
  readonly isSaving: boolean;
  /** Name of the file in which the prompt is edited; null: it is edited in the form. */
  readonly promptFile: string | null;
}

/** Characters of a prompt and of a state in a list. */
const PROMPT_WIDTH = 60;
const STATE_WIDTH = 30;

/** Composes what the page shows of the values. */
export function composeView(
  values: FormValues,
  facts: FormFacts,
  shown: Pick<FormView, 'attachments' | 'failure' | 'isSaving' | 'promptFile'>,
): FormView {
  const checked = checkValues(values, facts);
  return {
    problems: checked.problems,
    hints: { ...describeHints(values, facts), ...describeEditor(shown.promptFile) },
    outcome: shown.isSaving ? { lead: t('Saving…'), rest: '' } : describeOutcome(values, checked, facts),
    chips: chipsOf(values.dependencies, facts),
    tasks: candidatesOf(values.dependencies, facts),
    folders: facts.folders,
    ...shown,
  };
}

function describeEditor(promptFile: string | null): Hints {
  if (promptFile === null) return {};
  const text = t('Open in {0}. Save there to bring the text here; close it to write here.', promptFile);
  return { prompt: { text, tone: 'plain' } };
}

function idsIn(dependencies: string): readonly string[] {
  return dependencies
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function chipsOf(dependencies: string, { viewModel }: FormFacts): readonly Chip[] {
  const { tasks, world, snapshot } = viewModel;
  return idsIn(dependencies).map((id) => {
    const shown = tasks.find(({ task }) => String(task.definition.id) === id);
    if (snapshot.invalidIds.has(Number(id)))
      return { id, text: `${id} (${STATE_NAMES.invalid})`, isBad: true };
    if (shown === undefined) return { id, text: t('{0}: no such task', id), isBad: true };
    const isBad = ['dead', 'cancelled'].includes(shown.reason.state);
    const state = shorten(describeState(shown, world), STATE_WIDTH);
    return { id, text: `${nameTask(shown.task.definition)}${isBad ? ` (${state})` : ''}`, isBad };
  });
}

function candidatesOf(dependencies: string, { viewModel, id }: FormFacts): readonly string[] {
  const chosen = new Set(idsIn(dependencies));
  const excluded = id === null ? new Set<TaskId>() : dependentsOf(id, viewModel);
  return inRunningOrder(viewModel.tasks)
    .filter(({ task: { definition } }) => !chosen.has(String(definition.id)) && !excluded.has(definition.id))
    .map(({ task }) => nameTask(task.definition));
}

function nameTask({ id, prompt }: Pick<Definition, 'id' | 'prompt'>): string {
  return `${String(id)} ${shorten(prompt, PROMPT_WIDTH)}`;
}
