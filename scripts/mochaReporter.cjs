// Mocha's own list, and for scripts/test.mjs the counts and what failed, which no crash can fake: the file appears when mocha has
// ended.
const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');

const { EVENT_RUN_END, EVENT_TEST_FAIL } = Mocha.Runner.constants;

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    runner.on(EVENT_TEST_FAIL, (test, error) =>
      failed.push({ test: test.fullTitle(), why: error.stack ?? String(error) }),
    );
    runner.once(EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(options.reporterOption.countsFile, JSON.stringify({ passes, failures, pending, failed }));
    });
  }
};
