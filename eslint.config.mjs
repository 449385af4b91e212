import { defineConfig } from 'eslint/config';
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';
import { walls } from './scripts/walls.mjs';

const tests = ['test/**/*.ts'];

export default defineConfig(
  { ignores: ['dist/', 'coverage/', '.cache/', '.vscode-test/', 'test/fixtures/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['src/**/*.ts', 'test/**/*.ts'],
    rules: {
      // A switch over the cases of a union is one decision.
      complexity: ['error', { max: 12, variant: 'modified' }],
      'max-depth': ['error', 4],
      'max-lines': ['error', 350],
      'max-lines-per-function': ['error', 60],
      'max-params': ['error', 5],
      eqeqeq: 'error',
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/cli.ts', 'src/cli/**'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['src/editor/**/*.ts'],
    ignores: ['src/editor/messages.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['showInformationMessage', 'showWarningMessage', 'showErrorMessage'].map((property) => ({
          property,
          message: 'Links in what it quotes would run commands: use src/editor/messages.',
        })),
      ],
    },
  },
  walls(),
  {
    files: tests,
    rules: {
      'max-lines-per-function': 'off',
      'no-restricted-properties': [
        'error',
        ...['describe', 'it'].map((object) => ({
          object,
          property: 'only',
          message: 'It would hide every other test.',
        })),
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Program > ExpressionStatement > CallExpression[callee.name=/^before(Each)?$/]',
          message: 'Outside of a group it is done for every test of every file.',
        },
      ],
    },
  },
  {
    // Scripts of the pages that the editor shows.
    files: ['media/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: { acquireVsCodeApi: 'readonly', document: 'readonly', window: 'readonly', Option: 'readonly' },
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: { console: 'readonly', Buffer: 'readonly', process: 'readonly' },
    },
  },
);
