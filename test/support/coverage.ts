// Loaded before all tests (.mocharc.json). Node hands NODE_V8_COVERAGE on to every child, whatever environment it is given: each
// program that a test starts would take a third longer and write 2 MB. Whose coverage counts is given the folder by this name.
const { NODE_V8_COVERAGE: folder } = process.env;
if (folder !== undefined) {
  process.env['TEST_QUEUE_COVERAGE'] = folder;
  delete process.env['NODE_V8_COVERAGE'];
}
