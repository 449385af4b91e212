// Prints what the tree and the status bar show of some tasks, as JSON, in the language whose code is given: `ja`, `ru`, or `en`.
// A process of its own: constants take their texts when their modules are loaded.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTranslations, type Translations } from '../../../src/platform/text/translate';

const [language = 'en'] = process.argv.slice(2);
const BUNDLE = resolve(__dirname, `../../../l10n/bundle.l10n.${language}.json`);

/** Texts of the tree and the status bar, as drawn and as spoken. */
async function listShown(): Promise<unknown> {
  const { rowsOf } = await import('./treeGroups');
  const { paint, runByUser, runByWorker } = await import('../queue/viewModels');
  const { speakRow } = await import('../../../src/editor/tree/rows/spokenRow');
  const { describeStatus } = await import('../../../src/editor/status/statusBarText');
  const untrusted = { approvedRows: { trusted: false, approvals: new Set<string>() } };
  const viewModels = [
    paint([{}, runByWorker, runByUser, { state: { status: 'completed' } }, { state: { status: 'review' } }]),
    paint([{ state: { status: 'failed' } }, { fields: { dependencies: [1] } }]),
    paint([{}], untrusted),
  ];
  return viewModels.map((viewModel) => {
    const status = describeStatus({ kind: 'ready', viewModel, notes: new Map(), byRisk: new Map() });
    const rows = rowsOf(viewModel).flatMap((row) => [row.label, speakRow(row)]);
    return [...rows, status?.text, status?.spoken];
  });
}

if (language !== 'en') setTranslations(JSON.parse(readFileSync(BUNDLE, 'utf8')) as Translations);
void listShown().then((shown) => {
  console.log(JSON.stringify(shown));
});
