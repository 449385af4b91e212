import { findRefusals, type Refusal } from '../../app/actions/tasks/allowTools';
import { describeElsewhere, describeNoOutput } from '../../app/present/reasons/claim';
import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import { describeCall } from '../../claude/stream/plain';
import { OutputTail } from '../../claude/stream/outputTail';
import type { Attempt } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import { isElsewhere } from '../../platform/processes/machine';
import { t } from '../../platform/text/translate';
import type { OpenedQueue } from '../state/openedQueue';
import { folderOfAttempt, type KnownAttempt } from './page/pageParts';
import { renderBlocks, type Block } from './page/blocks';
import { AttemptSteps, toShown, type ToolStep } from './steps';
import { WorkingFiles } from './workingFiles';

/** Bytes at the end of an output that are read at first, and blocks that are shown: more would freeze the page. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_BLOCKS = 1_000;

/** Returns an attempt of a task as it is known now; `wanted`: its number, null: the newest. */
export async function findAttempt(
  { queue }: OpenedQueue,
  { tasks, snapshot }: QueueViewModel,
  id: TaskId,
  wanted: number | null,
): Promise<KnownAttempt> {
  const attempts: readonly Attempt[] = await queue.attempts({ id });
  const running = snapshot.claims.find(
    ({ id: claimed, owner, ownerDied }) => claimed === id && owner.kind === 'process' && ownerDied !== true,
  );
  const numbers = [...(running === undefined ? [] : [running.attempt]), ...attempts.map((one) => one.number)];
  const number = wanted ?? numbers[0] ?? 1;
  const claim = running?.attempt === number ? running : null;
  return {
    id,
    number,
    numbers: [...new Set(numbers)],
    shown: tasks.find(({ task }) => task.definition.id === id) ?? null,
    attempt: claim === null ? (attempts.find((one) => one.number === number) ?? null) : null,
    claim,
  };
}

/** Reads the steps of one attempt, and follows them while it runs. */
export class AttemptReader {
  readonly files: WorkingFiles;
  private readonly steps = new AttemptSteps();
  private readonly tail: OutputTail;
  private readonly folder: string | null;
  private refusals: readonly Refusal[] = [];

  constructor(
    private readonly session: OpenedQueue,
    known: KnownAttempt,
  ) {
    const { id, number: attempt } = known;
    this.tail = new OutputTail(session.queueContext.paths.state.outputOf({ id, attempt }), {
      session: (known.claim ?? known.attempt)?.session ?? null,
      mostBytes: MOST_BYTES,
    });
    this.folder = folderOfAttempt(known);
    this.files = new WorkingFiles(this.folder);
  }

  /** Last action of Claude; empty if there is none. */
  get now(): string {
    const last = this.steps.all.findLast((step): step is ToolStep => step.kind === 'tool');
    if (last === undefined) return '';
    const text = toShown(`${last.call.name} ${describeCall(last.call)}`).trim();
    return this.folder === null ? text : text.replaceAll(`${this.folder}/`, '');
  }

  /** Reads what is new. */
  async read(): Promise<void> {
    const messages = await this.tail.read();
    if (messages.length === 0) return;
    if (messages.some(({ type }) => type === 'tool-results')) this.files.forgetMissing();
    this.steps.add(messages, await this.session.queueContext.openReportToken().find());
  }

  /** Reads which refused actions of the task's newest attempt the user can allow, from the session that is open now. */
  async readRefusals(
    { queueContext, queue, window }: OpenedQueue,
    { id, number, attempt, shown }: KnownAttempt,
  ): Promise<void> {
    const isOpen = shown?.task.state.refused === true && attempt !== null && window !== null;
    const found = isOpen ? await findRefusals(queueContext, queue, id) : { attempt: null, refusals: [] };
    this.refusals = found.attempt?.number === number ? found.refusals : [];
  }

  /** Returns the blocks of the steps that were read. */
  blocks({ claim }: KnownAttempt): readonly Block[] {
    const context = {
      findFile: this.files.find,
      isRunning: claim !== null,
      ruleFor: (call: ToolStep['call']) => this.findRule(call),
    };
    return renderBlocks(this.steps.all, context, MOST_BLOCKS);
  }

  /** Returns sentences about what is not shown. */
  notes({ claim, attempt }: KnownAttempt, blocks: readonly Block[]): readonly string[] {
    const first = blocks[0]?.key ?? 0;
    if (claim?.owner.kind === 'process' && isElsewhere(claim.owner.machine))
      return [describeElsewhere(claim.owner.machine)];
    if (this.steps.all.length === 0)
      return claim === null ? [describeNoOutput(attempt ?? {})] : [t('No output yet.')];
    const isCut = this.tail.skippedBytes > 0 || first > 0;
    return isCut ? [t('Only the last steps are shown here. "Show Output" has all of them.')] : [];
  }

  private findRule(call: ToolStep['call']): string | null {
    const found = this.refusals.find(
      ({ tool, detail }) => tool === call.name && detail === describeCall(call),
    );
    return found?.isAllowed === true ? null : (found?.rule ?? null);
  }
}
