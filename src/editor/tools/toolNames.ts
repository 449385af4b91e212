/** Names of the language model tools, as the manifest has them. */
export const TOOLS = { status: 'claude-queue_status', add: 'claude-queue_add' } as const;
