import * as vscode from 'vscode';
import type { Host } from '../../app/context/host';
import { EDITOR_MODES, WINDOW_RULES } from '../../domain/settings/machineSettings';
import type { CheckedName } from '../../domain/settings/settings';
import { environmentName, FROM_EDITOR } from '../../domain/settings/variables';

export type WindowRule = (typeof WINDOW_RULES)[number];

/** Default permission modes; `ask` until the user has chosen one. */
export const PERMISSION_CHOICES = ['ask', ...EDITOR_MODES] as const;
export type PermissionChoice = (typeof PERMISSION_CHOICES)[number];

const SECTION = 'claudeQueue';

/** Settings of the editor; no other code reads them. */
export class EditorSettings {
  get permissionMode(): PermissionChoice {
    return choose(PERMISSION_CHOICES, read('permissionMode'));
  }

  get whenLastWindowCloses(): WindowRule {
    return choose(WINDOW_RULES, read('whenLastWindowCloses'));
  }

  /** Address of the queue in Redis that every window shows; empty: each shows the queue of its folder. */
  get redis(): string {
    const address = read('redis');
    return isEmpty(address) ? '' : textOf(address).trim();
  }

  /** Whether notifications of this kind are on. */
  notifies(kind: string): boolean {
    const kinds = read('notifications');
    return typeof kinds !== 'object' || kinds === null || Reflect.get(kinds, kind) !== false;
  }

  /** Sets the mode for every window of this machine. */
  async setPermissionMode(mode: PermissionChoice): Promise<void> {
    await write('permissionMode', mode);
  }

  async setWhenLastWindowCloses(rule: WindowRule): Promise<void> {
    await write('whenLastWindowCloses', rule);
  }

  /**
   * Returns this machine's settings as environment variables, which the engine reads. It reports invalid ones, as
   * the settings that they came from.
   */
  overrides(): Readonly<Record<string, string>> {
    // Each with the value that leaves it to the user's own `config.yaml`.
    const all: readonly (readonly [name: CheckedName, value: unknown, unset: string])[] = [
      ['claude', read('claude'), ''],
      ['permissionMode', read('permissionMode'), 'ask'],
      ['whenLastWindowCloses', read('whenLastWindowCloses'), 'finishTask'],
      ['keepAwake', read('keepAwake'), 'never'],
      ['notify', read('notify'), ''],
    ];
    const set = all.flatMap(([name, value, unset]) => {
      if (isEmpty(value) || value === unset) return [];
      return [{ name, text: textOf(value) }];
    });
    if (set.length === 0) return {};
    return {
      ...Object.fromEntries(set.map(({ name, text }) => [environmentName(name), text])),
      [FROM_EDITOR]: set.map(({ name }) => name).join(','),
    };
  }

  /** Returns the editor's environment, overridden by these settings. */
  environment(): Host['env'] {
    return { ...process.env, ...this.overrides() };
  }

  onDidChange(changed: () => void): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SECTION)) changed();
    });
  }
}

function read(name: string): unknown {
  return vscode.workspace.getConfiguration(SECTION).get(name);
}

/** Whether a setting has its default, an empty list, or nothing. */
function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : value === undefined || value === null || value === '';
}

/** Returns a value of any type as text, for those that read it and report what is invalid. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function write(name: string, value: string): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update(name, value, vscode.ConfigurationTarget.Global);
}

/** Returns the matching choice; the first one for any other value in the settings file. */
function choose<T extends string>(choices: readonly [T, ...T[]], value: unknown): T {
  return choices.find((choice) => choice === value) ?? choices[0];
}
