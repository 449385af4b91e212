import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUDE } from '../../support/claude/claudeHome';
import type { Place } from '../../support/queue/queuePlace';

/** Installs a Claude that ends at no signal which can be ignored, once it has run these shell lines. Gives its path. */
export function installStubborn({ home }: Place, ...lines: readonly string[]): string {
  const stubborn = join(home.folder, 'stubborn');
  const script = [
    '#!/bin/sh',
    `case "$1" in --version|--help|auth) exec ${CLAUDE} "$@" ;; esac`,
    "trap '' TERM INT HUP",
    ...lines,
    'while :; do sleep 1; done',
    '',
  ];
  writeFileSync(stubborn, script.join('\n'));
  chmodSync(stubborn, 0o755);
  return stubborn;
}
