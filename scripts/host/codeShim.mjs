#!/usr/bin/env node
// Stands where @vscode/test-electron expects the desktop's `code`: takes what that passes, and runs the suite in the
// extension host of the server. Exits with what the window ended with; 2 where it never came to that.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { format } from 'node:util';
import { openWorkbench, startBrowser, startServer } from './host.mjs';

const PATIENCE_MS = 900_000;
const LAST_LINES = 40;

const valuesOf = (name) =>
  process.argv.filter((word) => word.startsWith(`--${name}=`)).map((word) => word.slice(name.length + 3));

/** The code that the window ends with. */
function runWindow(browser, server, log) {
  return new Promise((resolve, reject) => {
    const development = {
      extensions: valuesOf('extensionDevelopmentPath'),
      testsFile: valuesOf('extensionTestsPath')[0],
      onLog: (level, args) => log.push(`${level}: ${format(...args)}`),
      onExit: resolve,
    };
    const folder = process.argv[2];
    openWorkbench(browser, server, { folder, development }).then(
      (page) => page.once('crash', () => reject(new Error('The page of the workbench crashed.'))),
      reject,
    );
    server.ended.then((how) => reject(new Error(`code-server ${how}.`)));
    sleep(PATIENCE_MS, undefined, { ref: false }).then(() => reject(new Error('The suite took too long.')));
  });
}

async function main() {
  const [userFolder] = valuesOf('user-data-dir');
  const settingsFile = join(userFolder, 'User', 'settings.json');
  const settings = existsSync(settingsFile) ? JSON.parse(readFileSync(settingsFile, 'utf8')) : {};
  const log = [];
  let server;
  let browser;
  try {
    server = await startServer({ env: process.env, settings });
    browser = await startBrowser();
    return await runWindow(browser, server, log);
  } catch (error) {
    console.error([error.message, ...log.slice(-LAST_LINES), server?.log ?? ''].join('\n'));
    return 2;
  } finally {
    await browser?.close();
    await server?.stop();
  }
}

process.exitCode = await main();
