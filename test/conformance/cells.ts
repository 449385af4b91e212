import type { Definition, SharedCells } from '../../src/domain/task/task';

export type Cells = Record<string, string>;

/** The cells that a row's owner writes for a task. */
export function cellsOf(definition: Definition): Cells {
  return {
    id: String(definition.id),
    priority: definition.priority,
    working_dir: definition.workingDir,
    prompt: definition.prompt,
    dependencies: definition.dependencies.join('|'),
    repeat: definition.repeat === undefined ? 'no' : 'yes',
    repeat_interval: definition.repeat?.text ?? '',
    max_retries: String(definition.maxRetries),
    created_at: definition.createdAt === undefined ? '' : new Date(definition.createdAt).toISOString(),
    model: definition.model ?? '',
    unless_unchanged: definition.unlessUnchanged === true ? 'true' : '',
    append_system_prompt: definition.appendSystemPrompt ?? '',
    user: definition.user ?? '',
    deadline: definition.deadline === undefined ? '' : new Date(definition.deadline).toISOString(),
    tags: definition.tags?.join('|') ?? '',
    ...callbackCellsOf(definition),
  };
}

function callbackCellsOf({ callbackUrl = '', requestId = '', metadata = '' }: Definition): Cells {
  return { callback_url: callbackUrl, request_id: requestId, metadata };
}

/** The shared cells that its owner writes. */
export function textsOf({ status, scheduledAt, retryCount }: Partial<SharedCells>): Cells {
  return {
    ...(status === undefined ? {} : { status }),
    ...(scheduledAt === undefined
      ? {}
      : { scheduled_time: scheduledAt === null ? '' : minuteOf(scheduledAt) }),
    ...(retryCount === undefined ? {} : { retry_count: String(retryCount) }),
  };
}

function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
