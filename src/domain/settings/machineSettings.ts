import { BILLING_CHOICES } from '../task/attempt';
import type { Setting } from './setting';
import { PERMISSION_MODES } from '../task/task';

/** The settings of the machine that runs a queue. */
export const MACHINE_SETTINGS = [
  {
    name: 'claude',
    type: 'text',
    default: '',
    scope: 'machine',
    sentence: 'The path of the claude program; empty means the one on the PATH.',
  },
  {
    name: 'permissionMode',
    type: 'choice',
    choices: PERMISSION_MODES,
    default: 'acceptEdits',
    scope: 'machine',
    sentence: 'What Claude may do without asking when the row does not say.',
  },
  {
    name: 'allowBypass',
    type: 'boolean',
    default: false,
    scope: 'machine',
    sentence: 'Whether a row may ask for bypassPermissions, which lets Claude do anything.',
  },
  {
    name: 'allowedDirectories',
    type: 'folders',
    default: '[]',
    scope: 'machine',
    sentence: 'In which folders, and below them, tasks may run; empty means anywhere.',
  },
  {
    name: 'openAfterReset',
    type: 'duration',
    default: '1m',
    minMs: 0,
    scope: 'machine',
    sentence: 'How long after the reported end of a usage limit work starts again.',
  },
  {
    name: 'openStagger',
    type: 'duration',
    default: '15s',
    minMs: 0,
    scope: 'machine',
    sentence:
      'How long runs begin apart in the minutes after a usage limit, or a fault of the API, has ended.',
  },
  {
    name: 'account',
    type: 'text',
    default: '',
    scope: 'machine',
    sentence:
      'Names the account whose gate a queue shares with others of that name; empty means what Claude Code says.',
  },
  {
    name: 'billing',
    type: 'choice',
    choices: BILLING_CHOICES,
    default: 'auto',
    scope: 'machine',
    sentence:
      'What pays: auto is a subscription where one is signed in, else the API key that is there; or only the one named.',
  },
  {
    name: 'stopGrace',
    type: 'duration',
    default: '10s',
    minMs: 0,
    scope: 'machine',
    sentence: 'How long a run that is told to stop has to end by itself before it is killed.',
  },
  {
    name: 'windowGrace',
    type: 'duration',
    default: '30s',
    minMs: 0,
    scope: 'machine',
    sentence: 'How long a worker that ends with the last editor window waits for one to come back.',
  },
  {
    name: 'claudeRetries',
    type: 'integer',
    unit: 'retries',
    default: 4,
    min: 0,
    scope: 'machine',
    sentence: 'How often Claude Code itself repeats a request that failed for a passing reason.',
  },
  {
    name: 'notify',
    type: 'commandLine',
    default: '[]',
    scope: 'machine',
    sentence: 'A program, with its arguments, to run once for each event that needs you; empty means none.',
  },
  {
    name: 'keepAwake',
    type: 'choice',
    choices: ['never', 'while-working'],
    default: 'never',
    scope: 'machine',
    sentence:
      'Whether a worker holds off sleep: never, or while a task runs or will start by itself within 12 h.',
  },
] as const satisfies readonly Setting[];
