import * as vscode from 'vscode';
import type { RowMark } from './rows/treeRow';
import { t } from '../../platform/text/translate';

const SCHEME = 'claude-queue-row';

/** Returns the URI under which VS Code asks how to mark a row. */
export function markUri(key: string, mark: RowMark): vscode.Uri {
  // A path must not begin with two slashes, and a key may begin with one.
  return vscode.Uri.from({ scheme: SCHEME, path: `/row ${key}`, query: mark });
}

const MARKS: Readonly<Record<RowMark, readonly [badge: string, tooltip: string, color: string]>> = {
  late: ['!', t('Late'), 'list.warningForeground'],
  'at-risk': ['!', t('At risk'), 'list.warningForeground'],
  failed: ['!', t('Failed'), 'list.errorForeground'],
};

/** Registers the colours and badges of marked rows. Words and icons say the same. */
export function registerRowMarks(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, query }) => {
      const mark = Object.entries(MARKS).find(([name]) => name === query);
      if (scheme !== SCHEME || mark === undefined) return undefined;
      const [, [badge, tooltip, color]] = mark;
      return new vscode.FileDecoration(badge, tooltip, new vscode.ThemeColor(color));
    },
  });
}
