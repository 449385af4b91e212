import { BILLING_CHOICES } from '../task/attempt';
import type { Setting } from './setting';
import { PERMISSION_MODES } from '../task/task';

/** Default permission modes that VS Code offers: none that skips permissions. */
export const EDITOR_MODES = ['auto', 'acceptEdits', 'manual', 'dontAsk', 'plan'] as const;

/** Rules for the worker when the last window of the workspace closes. */
export const WINDOW_RULES = ['finishTask', 'goOn', 'stopNow'] as const;

/** The settings that only VS Code has. Only their values are checked with the others. */
export const EDITOR_SETTINGS = [
  {
    name: 'whenLastWindowCloses',
    type: 'choice',
    choices: WINDOW_RULES,
    default: 'finishTask',
    scope: 'machine',
  },
] as const satisfies readonly Setting[];

/** The settings of the machine that runs a queue. */
export const MACHINE_SETTINGS = [
  {
    name: 'claude',
    type: 'text',
    default: '',
    scope: 'machine',
  },
  {
    name: 'permissionMode',
    type: 'choice',
    choices: PERMISSION_MODES,
    inEditor: EDITOR_MODES,
    default: 'acceptEdits',
    scope: 'machine',
  },
  {
    name: 'allowBypass',
    type: 'boolean',
    default: false,
    scope: 'machine',
  },
  {
    name: 'allowedDirectories',
    type: 'folders',
    default: '[]',
    scope: 'machine',
  },
  {
    name: 'repositories',
    type: 'repositories',
    default: '{}',
    scope: 'machine',
  },
  {
    name: 'redis',
    type: 'text',
    default: '',
    scope: 'machine',
  },
  {
    name: 'redisPlain',
    type: 'boolean',
    default: false,
    scope: 'machine',
  },
  {
    name: 'openAfterReset',
    type: 'duration',
    default: '1m',
    minMs: 0,
    scope: 'machine',
  },
  {
    name: 'openStagger',
    type: 'duration',
    default: '15s',
    minMs: 0,
    scope: 'machine',
  },
  {
    name: 'account',
    type: 'text',
    default: '',
    scope: 'machine',
  },
  {
    name: 'billing',
    type: 'choice',
    choices: BILLING_CHOICES,
    default: 'auto',
    scope: 'machine',
  },
  {
    name: 'stopGrace',
    type: 'duration',
    default: '10s',
    minMs: 0,
    scope: 'machine',
  },
  {
    name: 'windowGrace',
    type: 'duration',
    default: '30s',
    minMs: 0,
    scope: 'machine',
  },
  {
    name: 'claudeRetries',
    type: 'integer',
    unit: 'retries',
    default: 4,
    min: 0,
    scope: 'machine',
  },
  {
    name: 'notify',
    type: 'commandLine',
    default: '[]',
    scope: 'machine',
  },
  {
    name: 'callbackUrl',
    type: 'url',
    default: '',
    scope: 'machine',
  },
  {
    name: 'callbackTemplate',
    type: 'choice',
    choices: ['json', 'ntfy', 'slack'],
    default: 'json',
    scope: 'machine',
  },
  {
    name: 'callbackSecret',
    type: 'secret',
    default: '',
    scope: 'machine',
  },
  {
    name: 'callbackAllow',
    type: 'networks',
    default: '[]',
    scope: 'machine',
  },
  {
    name: 'keepAwake',
    type: 'choice',
    choices: ['never', 'while-working'],
    default: 'never',
    scope: 'machine',
  },
] as const satisfies readonly Setting[];
