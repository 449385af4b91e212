// The walls of the house: which room under src/ may import which, and which folders in them are closed. ESLint enforces it.
import { dirname, join, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const BELOW_THE_FACES = ['domain', 'platform', 'queue', 'account', 'claude', 'worker'];

/**
 * For each room: the rooms below it, which it may import, and what else it needs its own rule for.
 * A room that is not named in `below` is closed: it is above, or beside.
 */
export const ROOMS = {
  // `packages` is a closed list: the rules of the queue do no input or output and know no clock.
  domain: { below: [], packages: ['croner', '@date-fns/tz', 'node:crypto'] },
  platform: { below: ['domain'] },
  queue: { below: ['domain', 'platform'] },
  account: { below: ['domain', 'platform'] },
  claude: { below: ['domain', 'platform'] },
  // A worker is handed its runner and never names Claude.
  worker: { below: ['domain', 'platform', 'queue', 'account'] },
  // Tasks of both faces, which neither owns.
  app: { below: BELOW_THE_FACES },
  cli: { below: [...BELOW_THE_FACES, 'app'], argv: true },
  editor: { below: [...BELOW_THE_FACES, 'app'], vscode: true },
};

/** The programs: each sees its own room, the watchdog none but the platform, and what is below it. */
const ROOTS = { cli: 'src/cli.ts', editor: 'src/extension.ts', platform: 'src/watchdog.ts' };

/**
 * Folders that only some files may import from: of the others each has one file or two through which it is used. A file
 * of the folder itself always may.
 */
const CLOSED_FOLDERS = {
  'queue/file': {
    openTo: ['queue/openQueue.ts', 'editor/unsaved/', 'editor/queueFile/problems/openFileProblems.ts'],
    message:
      'Of queues in files only queue/openQueue, editor/unsaved and the check of unsaved rows know: use what openQueue has.',
  },
  'queue/redis': {
    openTo: ['queue/openQueue.ts'],
    message: 'Of queues in Redis only queue/openQueue knows: use what that has.',
  },
  'queue/csv': {
    openTo: [
      'queue/file/',
      'editor/unsaved/',
      'editor/queueFile/',
      'app/actions/rows/importRows.ts',
      'app/actions/rows/exportRows.ts',
    ],
    message:
      'Only the file store, the editor of the queue file, import and export know CSV: queue/row has what a row means.',
  },
  'app/actions': {
    // All but app/present: what words things does nothing.
    closedTo: ['app/present/'],
    message: 'app/present/ words what is, and does nothing.',
  },
};

const SRC = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src');

/** The closed folder, if any, that a file under src/ may not import from. */
function findClosed(file, target) {
  const isIn = (folder) => (each) => (each.endsWith('/') ? folder.startsWith(each) : folder === each);
  return Object.entries(CLOSED_FOLDERS).find(([folder, { openTo, closedTo }]) => {
    if (!`${target}/`.startsWith(`${folder}/`) || file.startsWith(`${folder}/`)) return false;
    return closedTo === undefined ? !openTo.some(isIn(file)) : closedTo.some(isIn(file));
  })?.[1];
}

/** By the path that an import leads to: how deep the importing file is does not matter. */
const closedFolders = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = relative(SRC, context.filename);
    const check = ({ source }) => {
      const path = source?.value;
      if (typeof path !== 'string' || !path.startsWith('.')) return;
      const closed = findClosed(file, join(dirname(file), path));
      if (closed !== undefined) context.report({ node: source, message: closed.message });
    };
    return { ImportDeclaration: check, ImportExpression: check, TSImportType: check };
  },
};

const names = Object.keys(ROOMS);
const anyOf = (words) => words.map((word) => word.replaceAll('.', '\\.')).join('|');

/** Patterns of `no-restricted-imports` for files of `room`; `up` is how an import leaves for src/ itself. */
function importPatterns(room, up) {
  const { below, packages, vscode, argv } = ROOMS[room];
  const closed = names.filter((name) => name !== room && !below.includes(name));
  const patterns = [
    {
      regex: `^${up}(?:${anyOf(closed)})(?:/|$)`,
      message: `${room}/ imports downwards only: ${below.length > 0 ? below.join(', ') : 'nothing but itself'}.`,
    },
    { regex: `^${up}(?:cli|extension)$`, message: 'Nothing imports a program.' },
    { regex: '^(?:/|src/|.*\\.[cm]?[jt]s$)', message: 'Import relatively, without an extension.' },
  ];
  if (packages) {
    patterns.push({
      regex: `^(?!\\.)(?!(?:${anyOf(packages)})$)`,
      message: `${room}/ has no input or output; it may use ${packages.join(', ')} only.`,
    });
  }
  if (!vscode)
    patterns.push({ regex: '^vscode$', message: 'Only editor/ and extension.ts know the editor.' });
  if (!argv) patterns.push({ regex: '^commander$', message: 'Only cli/ reads a command line.' });
  return patterns;
}

/** Modules that must not be loaded at start, and where they are needed: only their types may be imported. */
const LAZY = Object.entries({
  ioredis: 'where a queue in Redis is opened',
  './redis/redisQueue': 'where a queue in Redis is opened',
  'prom-client': 'where metrics are rendered',
}).map(([name, where]) => ({
  name,
  allowTypeImports: true,
  message: `Load it with import() ${where}: nobody else pays for it.`,
}));

/** The folder that is loaded with import() itself. */
const LATER_FOLDER = 'src/queue/redis/*.ts';

const BARREL = [
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that has it.' },
  { selector: 'ExportNamedDeclaration[source]', message: 'No barrels: import from the file that has it.' },
];
const ARGV = {
  selector: "MemberExpression[object.name='process'][property.name='argv']",
  message: 'Only cli/ reads a command line.',
};
const CLOCK_AND_CHANCE = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'The time comes in.',
  },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'The time comes in.' },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: 'Chance comes in.',
  },
];
/** Only queue/queuePaths makes paths of these: it names them once. */
const QUEUE_NAMES = [
  'claude_queue',
  'prompts\\.csv',
  'NEXT_TASK\\.md',
  'state',
  'journal',
  'outputs',
  'windows',
  'archive',
  'replaced',
  'worker\\.log',
  'step\\.lock',
  'queue\\.lock',
];
const QUEUE_PATHS = {
  selector: `CallExpression:matches([callee.name='join'], [callee.property.name=/^(join|resolve)$/]) > Literal[value=/^(${QUEUE_NAMES.join('|')})$/]`,
  message: 'queue/queuePaths has the paths of a queue.',
};
const MACHINE = ['process', 'performance', 'fetch', 'crypto', 'setTimeout', 'setInterval', 'setImmediate'];

/** import() obeys the same walls; its type-only form does not exist, and loading ioredis so is what is wanted. */
const dynamicImports = (patterns) =>
  patterns.map(({ regex, message }) => ({
    selector: `ImportExpression[source.value=/${regex.replaceAll('/', '\\u002F')}/]`,
    message,
  }));

function wall(room, files, up) {
  const patterns = importPatterns(room, up);
  const pure = ROOMS[room].packages !== undefined;
  return {
    name: `walls of ${room}`,
    files,
    rules: {
      'no-restricted-imports': ['error', { paths: files.includes(LATER_FOLDER) ? [] : LAZY, patterns }],
      'no-restricted-syntax': [
        'error',
        ...BARREL,
        ...dynamicImports(patterns),
        QUEUE_PATHS,
        ...(ROOMS[room].argv ? [] : [ARGV]),
        ...(pure ? CLOCK_AND_CHANCE : []),
      ],
      ...(pure
        ? {
            'no-restricted-globals': [
              'error',
              ...MACHINE.map((name) => ({ name, message: 'It comes in as an argument.' })),
            ],
          }
        : {}),
    },
  };
}

/** Depths of folders in a room. A folder in a room may have the name of a room: the path up tells them apart. */
const DEPTHS = [1, 2, 3];

const wallsOf = (room) =>
  DEPTHS.map((depth) => wall(room, [`src/${room}/${'*/'.repeat(depth - 1)}*.ts`], '\\.\\./'.repeat(depth)));

/** ESLint configuration objects, for each room by depth, for each program, and for closed folders. */
export function walls() {
  return [
    {
      name: 'closed folders',
      files: ['src/**/*.ts'],
      plugins: { walls: { rules: { 'closed-folders': closedFolders } } },
      rules: { 'walls/closed-folders': 'error' },
    },
    ...names.flatMap(wallsOf),
    wall('queue', [LATER_FOLDER], '\\.\\./\\.\\./'),
    ...Object.entries(ROOTS).map(([room, file]) => wall(room, [file], '\\./')),
  ];
}
