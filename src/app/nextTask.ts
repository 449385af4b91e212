import type { Definition } from '../domain/task';

/**
 * NEXT_TASK.md: one task for a person to hand to Claude Code. The prompt stands in it as it is, between fences that
 * are longer than any in it.
 */
export function formatNextTask({ id, priority, workingDir, prompt }: Definition): string {
  const longest = (prompt.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return [
    `# Next task: ${String(id)}`,
    '',
    `- Priority: ${priority}`,
    `- Working directory: ${workingDir}`,
    '',
    'Do the following task in that directory:',
    '',
    `${fence}text`,
    prompt,
    fence,
    '',
    'When it is finished, its owner says so: Done, Failed or Give Back in the editor, or `claude-queue done`,',
    '`claude-queue fail` or `claude-queue release`.',
    '',
  ].join('\n');
}
