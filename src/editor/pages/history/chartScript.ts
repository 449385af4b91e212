import { readPageFile } from '../pageFile';
import { PAGE_SCRIPT } from '../pageScript';

/** Returns the script of a page with pictures; `program` is the path of `dist/cli.js`. */
export async function readChartScript(program: string): Promise<string> {
  const [library, drawing] = await Promise.all([
    readPageFile(program, 'dist/charts.js'),
    readPageFile(program, 'media/charts.js'),
  ]);
  return [library, PAGE_SCRIPT, drawing].join('\n');
}
