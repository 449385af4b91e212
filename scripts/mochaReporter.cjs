// Mocha's own list, and the counts for scripts/test.mjs, which no crash can fake: the file appears when mocha has ended.
const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(options.reporterOption.countsFile, JSON.stringify({ passes, failures, pending }));
    });
  }
};
