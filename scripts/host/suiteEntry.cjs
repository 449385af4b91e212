// The file that the editor runs (extensionTestsPath): runs mocha inside the extension host. What is run is
// in TEST_QUEUE_SUITE. An extension host that dies half-way looks like success from outside; the counts, which the
// reporter writes when mocha has come to its end, do not.
const { openSync, writeSync } = require('node:fs');
const { findSourceMap } = require('node:module');
const { URL, fileURLToPath, pathToFileURL } = require('node:url');
const { format } = require('node:util');
const { timeout } = require('../../.mocharc.json');

/** A frame in the code of this project: not in the editor, nor in a package. */
const OWN_FRAME = /^(?!.*node_modules).*[/\\](?:src|test|dist)[/\\]/m;

/** Mocha lets a rejection that nobody handles pass; those of the editor itself may. */
function failOnUnhandled(reason) {
  if (OWN_FRAME.test(String(reason?.stack))) throw reason;
}

/**
 * Sends what is printed to a file. The host guards the methods of console with setters that do nothing, and hands them
 * what goes to the standard streams.
 */
function printInto(file) {
  const open = openSync(file, 'a');
  const value = (...words) => writeSync(open, `${format(...words)}\n`);
  for (const name of ['log', 'info', 'warn', 'error', 'debug'])
    Object.defineProperty(console, name, { configurable: true, enumerable: true, writable: true, value });
}

/** Where a frame of a stack is in the sources. The host makes the texts of stacks itself and knows no source maps. */
function describeFrame(frame) {
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  const entry = file ? findSourceMap(file)?.findEntry(line - 1, column - 1) : undefined;
  if (entry?.originalSource === undefined) return `    at ${frame.toString()}`;
  const source = fileURLToPath(new URL(entry.originalSource, pathToFileURL(file)));
  const name = frame.getFunctionName() ?? '<anonymous>';
  return `    at ${name} (${source}:${entry.originalLine + 1}:${entry.originalColumn + 1})`;
}

exports.run = async () => {
  const suite = JSON.parse(process.env.TEST_QUEUE_SUITE);
  const { testsFile, countsFile, outputFile, reporter, grep, isForbiddingOnly, color } = suite;
  if (outputFile !== undefined) printInto(outputFile);
  process.setSourceMapsEnabled(true);
  Error.prepareStackTrace = (error, frames) => [String(error), ...frames.map(describeFrame)].join('\n');
  // Mocha keeps the console that it finds.
  const Mocha = require('mocha');
  const mocha = new Mocha({
    timeout,
    color,
    forbidOnly: isForbiddingOnly,
    reporter,
    reporterOptions: { countsFile },
    ...(grep === undefined ? {} : { grep }),
  });
  mocha.addFile(testsFile);
  process.on('unhandledRejection', failOnUnhandled);
  const failures = await new Promise((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} failed`);
};
