import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import english from '../../../package.nls.json';
import { localize } from '../../../scripts/texts/manifest';
import type { QueueViewModel } from '../../../src/app/viewModel/queueViewModel';
import { topRows } from '../../../src/editor/tree/rows/topRows';
import { SCHEME } from '../../../src/editor/changes/versionUri';
import { COMMANDS, commandId } from '../../../src/editor/commandIds';
import { PERMISSION_WORDS, WINDOW_RULE_WORDS } from '../../../src/editor/state/startPlan';
import { groupsOf, rootsOf } from '../../support/editor/treeGroups';
import { PICTURES } from '../../support/queue/pictures';

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category?: string;
  readonly icon?: string;
  readonly enablement?: string;
}

interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Setting {
  readonly type?: string;
  readonly default?: unknown;
  readonly scope?: string;
  readonly order?: number;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly markdownDescription?: string;
}

interface Manifest {
  readonly icon: string;
  readonly main: string;
  readonly extensionKind: readonly string[];
  readonly activationEvents: readonly string[];
  readonly enabledApiProposals?: readonly string[];
  readonly capabilities: Readonly<
    Record<'untrustedWorkspaces' | 'virtualWorkspaces', { supported: unknown; description: string }>
  >;
  readonly contributes: {
    readonly commands: readonly Command[];
    readonly submenus: readonly { readonly id: string; readonly label: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly icon: string }[] };
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly viewsWelcome: readonly {
      readonly view: string;
      readonly when: string;
      readonly contents: string;
    }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
    readonly keybindings: readonly Record<'command' | 'key' | 'args' | 'when', string>[];
  };
}

const ROOT = resolve(__dirname, '../../..');
const read = (name: string): string => readFileSync(resolve(ROOT, name), 'utf8');
const manifest = localize(JSON.parse(read('package.json')) as Manifest, english);
const { commands, submenus, menus, views, viewsWelcome, configuration } = manifest.contributes;
const ids = commands.map(({ command }) => command);
const viewIds = Object.values(views).flatMap((group) => group.map(({ id }) => id));

/** Commands of the editor itself, and those that it makes for a view. */
const isKnown = (command: string): boolean =>
  ids.includes(command) ||
  /^(?:vscode|workbench)\./.test(command) ||
  viewIds.some((id) => command === `${id}.focus`);

const whole: readonly (readonly [where: string, when: string])[] = [
  ...commands.map(({ command, enablement = '' }) => [command, enablement] as const),
  ...Object.entries(menus).flatMap(([menu, entries]) =>
    entries.map(({ command = '', when = '' }) => [`${menu}: ${command}`, when] as const),
  ),
  ...viewsWelcome.map(({ view, when }) => [`welcome of ${view}`, when] as const),
];

describe('The commands of the extension', () => {
  it('are those of the code', () => {
    assert.deepEqual([...ids].sort(), COMMANDS.map(commandId).sort());
  });

  for (const { command, title, category, icon } of commands) {
    it(`${command} has a title that starts with a verb, and a category`, () => {
      assert.equal(category, 'Claude Queue');
      // A verb and what follows it, `…` where more is asked; no emoji.
      assert.match(title, /^[A-Z][a-z]+(?: [\w.]+)*…?$/);
      if (icon !== undefined) assert.match(icon, /^\$\([a-z-]+\)$/);
    });
  }

  it('have an ellipsis if they ask before they act', () => {
    const asking = commands.filter(({ title }) => title.endsWith('…')).map(({ command }) => command);
    assert.deepEqual(
      asking,
      [
        'addTask',
        'addTaskInForm',
        'editTask',
        ...['addFromEditor', 'addFromExplorer', 'addFromProblem', 'addFromTerminal'],
        'start',
        'startPage',
        'stop',
        'signIn',
        'approve',
        'answer',
        'review',
        'acceptVerified',
        'comment',
        'allowTools',
        'undoChanges',
        ...['approveAll', 'approveSelected'],
        'changePriority',
        'importTasks',
        'exportTasks',
        'showActions',
        'schedule',
        'showMenu',
        'groupBy',
        'filter',
        'adoptHistory',
        'resetHistory',
        'setRedisPassword',
      ].map((name) => `claudeQueue.${name}`),
    );
  });

  it('that change anything are disabled in an untrusted workspace', () => {
    const free = commands.filter(({ enablement = '' }) => !enablement.includes('isWorkspaceTrusted'));
    assert.deepEqual(
      free.map(({ command }) => command),
      [
        'showAttempt',
        'openQueueFile',
        'showRow',
        'showHistory',
        'showUsage',
        'showReport',
        'showMenu',
        'groupBy',
        'filter',
        'clearFilter',
        'showMore',
        'showLog',
      ].map((name) => `claudeQueue.${name}`),
    );
  });

  it('have key bindings only in the view, and those for its selected rows', () => {
    for (const { command, args, when } of manifest.contributes.keybindings) {
      assert.ok(ids.includes(command), command);
      assert.equal(args, 'key');
      assert.match(when, /^focusedView == claudeQueue\.tasks && .*isWorkspaceTrusted$/);
    }
  });
});

describe('The menus of the extension', () => {
  for (const [menu, entries] of Object.entries(menus)) {
    it(`${menu} has only existing commands, each at its place`, () => {
      for (const { command, submenu, group } of entries) {
        if (submenu === undefined) assert.ok(ids.includes(command ?? ''), command);
        else assert.ok(submenu in menus && submenus.some(({ id }) => id === submenu), submenu);
        if (menu !== 'commandPalette')
          assert.match(group ?? '', /^(?:navigation|inline|\d_[a-z]+)(?:@\d+)?$/, command);
      }
      const places = entries.map(({ command = '', group = '', when = '' }) => `${group} ${command} ${when}`);
      assert.equal(new Set(places).size, places.length);
    });
  }

  it('never show more than three buttons on a task', () => {
    for (const [what, picture] of Object.entries(PICTURES)) {
      for (const { traits } of rowsOf(picture)) {
        const buttons = (menus['view/item/context'] ?? []).filter(
          ({ group = '', when = '' }) =>
            group.startsWith('inline') && looksFor(when).every((word) => traits.includes(word)),
        );
        assert.ok(buttons.length <= 3, `${what}: ${buttons.map(({ command }) => command).join(', ')}`);
      }
    }
  });

  it('test only for values that tasks have', () => {
    const had = new Set(
      Object.values(PICTURES).flatMap((picture) => rowsOf(picture).flatMap(({ traits }) => traits)),
    );
    const wanted = new Set(whole.flatMap(([, when]) => looksFor(when)));
    assert.deepEqual(
      [...wanted].filter((word) => !had.has(word)),
      [],
    );
    assert.ok(wanted.size > 5);
  });

  it('use only context keys that the extension sets, in existing views', () => {
    const source = read('src/editor/state/contexts.ts');
    const isSet = (key: string): boolean => new RegExp(`^ +${key}:|'claudeQueue\\.${key}'`, 'm').test(source);
    for (const [where, when] of whole) {
      for (const [, view] of when.matchAll(/\bview == ([\w.]+)/g))
        assert.ok(viewIds.includes(view ?? ''), where);
      const rest = when.replaceAll(/\bview == [\w.]+|\bconfig\.claudeQueue\.redis\b/g, '');
      for (const [, key] of rest.matchAll(/\bclaudeQueue\.(\w+)/g))
        assert.ok(isSet(key ?? ''), `${where}: ${key ?? ''}`);
    }
    assert.equal(isSet('elsewhere'), false);
  });

  it('compare the state with its possible values only', () => {
    const states = /kind: '(\w+)'/g;
    const known = [...read('src/editor/state/queueState.ts').matchAll(states)].map(([, word]) => word);
    for (const [where, when] of whole) {
      for (const [, word] of when.matchAll(/claudeQueue\.state == '(\w+)'/g))
        assert.ok(known.includes(word), where);
    }
  });
});

describe('The view of the extension', () => {
  it('has icons that exist', () => {
    const icons = [
      manifest.icon,
      ...manifest.contributes.viewsContainers.activitybar.map(({ icon }) => icon),
      ...Object.values(views).flatMap((group) => group.map(({ icon }) => icon)),
    ];
    for (const icon of icons) assert.ok(existsSync(resolve(ROOT, icon)), icon);
  });

  it('has a large enough icon for the list of extensions, which is no drawing', () => {
    const icon = readFileSync(resolve(ROOT, manifest.icon));
    assert.equal(icon.toString('latin1', 1, 4), 'PNG');
    assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [256, 256]);
  });

  it('has welcome views with existing commands', () => {
    for (const { view, contents } of viewsWelcome) {
      assert.ok(viewIds.includes(view), view);
      const links = [...contents.matchAll(/\(command:([^)]+)\)/g)].map(([, command]) => command ?? '');
      assert.ok(links.length > 0 && links.every((command) => isKnown(command)), contents);
    }
  });

  it('has a welcome for no folder, no queue, a lost file without and with a worker, no trust, and an empty queue, in a file, in Redis or without trust', () => {
    for (const when of [
      /^workspaceFolderCount == 0 && !config/,
      /'missing' && !claudeQueue\.gone && isWorkspaceTrusted/,
      /'missing' && claudeQueue\.gone && !claudeQueue\.working && isWorkspaceTrusted/,
      /'missing' && claudeQueue\.gone && claudeQueue\.working && isWorkspaceTrusted/,
      /'missing' && !isWorkspaceTrusted/,
      /'ready'.*!config/,
      /'ready'.* config/,
      /'ready' && !isWorkspaceTrusted/,
    ])
      assert.equal(viewsWelcome.filter((welcome) => when.test(welcome.when)).length, 1, String(when));
  });
});

describe('The settings of the extension', () => {
  for (const [name, setting] of Object.entries(configuration.properties)) {
    it(`${name} has a type, a default, a place and a sentence`, () => {
      assert.match(name, /^claudeQueue\.\w+$/);
      assert.equal(Array.isArray(setting.default) ? 'array' : typeof setting.default, setting.type);
      assert.ok(['machine', 'window', 'resource'].includes(setting.scope ?? ''), setting.scope);
      assert.match(setting.markdownDescription ?? '', /^[A-Z].*\.$/);
      assert.equal(setting.enumDescriptions?.length, setting.enum?.length);
      if (setting.enum !== undefined) assert.ok(setting.enum.includes(String(setting.default)));
    });
  }

  it('have an order', () => {
    const order = Object.values(configuration.properties).map((setting) => setting.order);
    assert.deepEqual(
      order,
      order.map((_, i) => i + 1),
    );
  });

  it('offer the choices of the code, the default first', () => {
    const choices = (name: string): unknown => configuration.properties[`claudeQueue.${name}`]?.enum;
    assert.deepEqual(choices('permissionMode'), Object.keys(PERMISSION_WORDS));
    assert.deepEqual(choices('whenLastWindowCloses'), Object.keys(WINDOW_RULE_WORDS));
  });

  it('for programs and permissions cannot be set by a workspace', () => {
    for (const name of [
      'claude',
      'permissionMode',
      'whenLastWindowCloses',
      'notifications',
      'notify',
      'keepAwake',
      'redis',
    ])
      assert.equal(configuration.properties[`claudeQueue.${name}`]?.scope, 'machine', name);
  });

  it('never offer to skip permissions', () => {
    assert.doesNotMatch(JSON.stringify(configuration), /bypass/i);
  });

  it('are those of the code', () => {
    const code = read('src/editor/state/editorSettings.ts');
    const reads = [...code.matchAll(/\bread\('(\w+)'\)/g)].map(([, name = '']) => name);
    assert.deepEqual(
      [...new Set(reads)].map((name) => `claudeQueue.${name}`).sort(),
      Object.keys(configuration.properties).sort(),
    );
  });
});

describe('The extension', () => {
  it('is loaded only if the folder has a queue, which one look decides, or an editor shows changes again', () => {
    assert.deepEqual(manifest.activationEvents, [
      'workspaceContains:claude_queue/prompts.csv',
      `onFileSystem:${SCHEME}`,
      ...['attempt', 'history', 'report', 'usage'].map((kind) => `onWebviewPanel:claudeQueue.${kind}`),
    ]);
  });

  it('runs on the host of the files, from one bundled file, without unstable API', () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
    assert.equal(manifest.main, './dist/extension.js');
    assert.equal(manifest.enabledApiProposals, undefined);
  });

  it('declares its limits without trust and in virtual workspaces', () => {
    const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
    assert.equal(untrustedWorkspaces.supported, 'limited');
    assert.match(untrustedWorkspaces.description, /untrusted workspace.*nothing runs/);
    assert.equal(virtualWorkspaces.supported, false);
    assert.notEqual(virtualWorkspaces.description, '');
  });
});

/** The words that a condition looks for in a row. */
function looksFor(when: string): string[] {
  return [...when.matchAll(/viewItem =~ \/\\b(\w+)\\b\//g)].map(([, word]) => word ?? '');
}

function rowsOf(viewModel: QueueViewModel): readonly { readonly traits: readonly string[] }[] {
  const rows = groupsOf(viewModel).flatMap(({ children = [] }) => children);
  return [...topRows(viewModel), ...[...rootsOf(viewModel), ...rows].map(({ traits = [] }) => ({ traits }))];
}
