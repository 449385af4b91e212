import { adoptForeign, describeForeign } from '../app/context/foreignHistory';
import { Problem } from '../domain/problem';
import { confirm } from './ask';
import type { Context } from './context';
import { NOTHING, OK } from './exitCodes';

/** Describes a history that was made elsewhere, and adopts it after a yes. */
export async function adoptHistory(
  context: Context,
  foreign: Problem,
  { dryRun, yes }: { readonly dryRun?: true; readonly yes?: true },
): Promise<number> {
  const { system } = context;
  system.out([foreign.message, ...(await describeForeign(context))].join('\n'));
  if (dryRun === true) return OK;
  if (yes !== true && system.keyboard === null) {
    throw new Problem(
      'usage',
      'There is no terminal to ask on. Use --yes to adopt this, or --dry-run to preview it.',
    );
  }
  if (yes !== true && !(await confirm(system, 'Adopt this history?'))) {
    system.out('Nothing was changed.');
    return NOTHING;
  }
  system.out(await adoptForeign(context));
  return OK;
}
