import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { PAGE_SCRIPT } from '../pageScript';

/** Returns the script of a page with pictures; `program` is the path of `dist/cli.js`. */
export async function readChartScript(program: string): Promise<string> {
  const dist = path.dirname(program);
  const files = [path.join(dist, 'charts.js'), path.join(dist, '..', 'media', 'charts.js')];
  const [library, drawing] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return [library, PAGE_SCRIPT, drawing].join('\n');
}
