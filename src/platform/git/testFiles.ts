/** Folders that hold tests by the custom of many languages. */
const TEST_FOLDER = /(?:^|\/)(?:__tests__|tests?|specs?|e2e)\//i;

/** Names of test files: `x.test.ts`, `x_spec.rb`, `test_x.py`, `XTest.java`. */
const TEST_NAME = /(?:^|[._-])(?:tests?|specs?)(?:[._-]|$)|[a-z\d](?:Tests?|Specs?)\.[^./]+$/;

/** Whether a file is a test, by its path with `/` between the parts. No content is read. */
export function isTestFile(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_NAME.test(path.slice(path.lastIndexOf('/') + 1));
}
