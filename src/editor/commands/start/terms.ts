import { describePayment } from '../../../app/present/installation';
import type { Installation } from '../../../claude/installation/installation';
import type { ExtensionServices } from '../../state/extensionServices';
import { t } from '../../../platform/text/translate';

/**
 * Returns everything that the user agrees to besides the rows, to be compared just before the start: another window, the
 * settings file or a new sign-in may change it meanwhile.
 */
export function describeTerms({ settings }: ExtensionServices, claude: Installation): string {
  const { version } = claude;
  return JSON.stringify([settings.overrides(), version, describePayment(claude)]);
}

/** Says that the terms changed before the start. */
export const TERMS_CHANGED = t(
  'The account, the permissions or another setting changed meanwhile. Nothing was started. Read it again.',
);
