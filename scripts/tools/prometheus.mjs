// The Prometheus of the tests, and promtool beside it: Debian's, unpacked into .vscode-test/prometheus, or else those on the PATH.
import { dirname, join } from 'node:path';
import { ask, findDebianTool } from './debianTools.mjs';
import { SetupFailure, findProgram } from '../setup.mjs';

const answers = (file) => /\bversion \d+\./.test(ask(file, ['--version']));

/** Beside the unpacked program there is its own promtool; one on the PATH may have it elsewhere. */
const works = (file) =>
  answers(file) &&
  [join(dirname(file), 'promtool'), findProgram(['promtool'])].some((one) => one && answers(one));

/** Sees to a Prometheus and a promtool. Rejects where there is none. */
export async function ensurePrometheus() {
  const found = await findDebianTool({
    name: 'prometheus',
    debianPackage: 'prometheus',
    program: 'prometheus',
    morePrograms: ['promtool'],
    isAlone: true,
    works,
    size: 'some 100 MB',
  });
  if (found !== undefined) return;
  throw new SetupFailure(
    'Here are needed: the programs "prometheus" and "promtool", on the PATH. On Debian and Ubuntu run: ' +
      'sudo apt-get install -y prometheus; on macOS: brew install prometheus',
  );
}
