// Loaded before all tests (.mocharc.json): mocha lets a rejection that nobody handles pass.
process.on('unhandledRejection', (reason) => {
  throw reason instanceof Error ? reason : new Error(`Rejected and not handled: ${String(reason)}`);
});
