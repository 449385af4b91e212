import * as vscode from 'vscode';
import type { Installation } from '../../../claude/installation/installation';
import { WINDOW_RULES } from '../../../domain/settings/machineSettings';
import type { ExtensionServices } from '../../state/extensionServices';
import { PERMISSION_WORDS, WINDOW_RULE_WORDS } from '../../state/startPlan';
import { t } from '../../../platform/text/translate';

/** Asks for the default permission mode: at the first Start, or from the list. Returns false if the user left. */
export async function choosePermissions(services: ExtensionServices, claude: Installation): Promise<boolean> {
  const offered = (await claude.readOffers()).modes;
  const modes = [
    ...(offered.has('auto') ? (['auto'] as const) : []),
    'acceptEdits',
    'manual',
    'plan',
  ] as const;
  const items = modes.map((mode, index) => {
    const words = PERMISSION_WORDS[mode].replace(` (${mode})`, '');
    return { label: mode, description: index === 0 ? t('{0} · recommended', words) : words, mode };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Default permission mode for unattended attempts'),
    placeHolder: t(
      'Permissions are never skipped. Refused actions are shown, and the task waits for your review',
    ),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return false;
  await services.settings.setPermissionMode(chosen.mode);
  return true;
}

/** Asks what happens when the last window closes. */
export async function chooseWindowRule(services: ExtensionServices): Promise<void> {
  const items = WINDOW_RULES.map((rule) => ({ label: WINDOW_RULE_WORDS[rule], rule }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('When the last window of the workspace closes'),
  });
  if (chosen !== undefined) await services.settings.setWhenLastWindowCloses(chosen.rule);
}
