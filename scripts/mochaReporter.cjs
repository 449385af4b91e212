// Mocha's own list, and for scripts/test.mjs the counts and what failed, which no crash can fake: the file appears when mocha has
// ended.
const { writeFileSync } = require('node:fs');
const { setTimeout } = require('node:timers');
const v8 = require('node:v8');
const Mocha = require('mocha');

const { EVENT_RUN_END, EVENT_TEST_FAIL } = Mocha.Runner.constants;

/** Time after the last test in which the process must end by itself. */
const END_MS = 60_000;

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const errors = [];
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      errors.push({ test: test.fullTitle(), error });
      // The list at the end of a run is missing if the run is ended early.
      Mocha.reporters.Base.list([test]);
    });
    runner.once(EVENT_RUN_END, () => {
      // Now and not while the process ends: there Node 20 may hang (nodejs/node#49344).
      v8.takeCoverage();
      v8.stopCoverage();
      const { passes, failures, pending } = this.stats;
      const write = (counts) => writeFileSync(options.reporterOption.countsFile, JSON.stringify(counts));
      // Hooks after a test may have added to its error.
      const failed = errors.map(({ test, error }) => ({ test, why: error.stack ?? String(error) }));
      write({ passes, failures, pending, failed });
      // Not reached where nothing is left open.
      const endByForce = () => {
        const why = `Still open: ${process.getActiveResourcesInfo().join(', ')}.`;
        const itself = { test: 'The process of the tests ends after the last test', why };
        write({ passes, failures: failures + 1, pending, failed: [...failed, itself] });
        process.exit();
      };
      setTimeout(endByForce, END_MS).unref();
    });
  }
};
