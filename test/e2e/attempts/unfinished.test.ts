import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releases } from '../../support/claude/claudeVersions';
import { openPlace } from '../../support/queue/queuePlace';
import { invalidRequest, limit, text, tool } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import type { Turn } from '../../support/claude/turn';

/** Where a run works, and its task. */
interface Scene {
  readonly folder: string;
  readonly id: number;
}

/** A run of one task: what Claude does in it, and what comes of it. */
interface Case {
  readonly name: string;
  /** Claude's steps, by how many tool results it has seen; then it says `Done.` */
  readonly steps: (scene: Scene) => readonly Reply[];
  /** Steps of its subagent; `nth` counts the subagents of this run from 1. */
  readonly subagent?: (scene: Scene, nth: number) => readonly Reply[];
  readonly row?: Readonly<Record<string, string>>;
  readonly shown: 'completed' | 'review';
  /** For a review: its reason, by default that an action was refused. */
  readonly reason?: string | Readonly<Record<string, string>>;
  readonly message?: RegExp;
  /** The tools of the refused calls. */
  readonly refused?: readonly string[];
}

const EMPTY: Reply = { kind: 'message', content: [], stopReason: 'end_turn' };
const BASH = { allowed_tools: 'Bash' };
const PERMISSION = 'Permission to use Bash has been denied.';

const bash = (command: string): Reply => tool('Bash', { command, description: 'run' });
const help = ({ id }: Scene, more: object = {}): Reply =>
  tool('Agent', {
    description: 'Help out',
    prompt: `Help with <${String(id)}>`,
    subagent_type: 'general-purpose',
    ...more,
  });
const FOREGROUND = { run_in_background: false };
const edit = ({ folder }: Scene, before: string): Reply =>
  tool('Edit', { file_path: join(folder, 'a.txt'), old_string: before, new_string: 'two' });
const read = (file: string): Reply => tool('Read', { file_path: file });
const write = (file: string): Reply => tool('Write', { file_path: file, content: 'x' });
const QUESTION = {
  question: 'Delete it or keep it?',
  header: 'Which',
  multiSelect: false,
  options: [
    { label: 'Delete', description: 'It goes.' },
    { label: 'Keep', description: 'It stays.' },
  ],
};

/** Claude is refused each of these calls: the attempt must list every one of them. */
const refused = (
  name: string,
  calls: readonly [string, (scene: Scene) => Reply][],
  row: Case['row'] = {},
): Case => ({
  name: `that is refused actions ${name}`,
  steps: (scene) => calls.map(([, call]) => call(scene)),
  row,
  shown: 'review',
  reason: 'denied',
  refused: calls.map(([toolName]) => toolName),
});

const REFUSED: readonly Case[] = [
  refused('for want of an answer', [
    ['Bash', () => bash('python3 -c "print(1)"')],
    ['Bash', () => bash('echo $(date)')],
    ['Bash', () => bash('cat /etc/hostname')],
    ['Bash', () => bash('echo x > /etc/not-here')],
    ['Bash', () => bash('cd .. && touch x')],
    ['Bash', () => bash('date -u')],
    ['Read', () => read('/etc/hostname')],
    ['Write', () => write('/etc/not-here')],
    ['Write', ({ folder }) => write(join(folder, '.git', 'config'))],
    ['WebFetch', () => tool('WebFetch', { url: 'http://example.com/', prompt: 'x' })],
    ['mcp__srv__other', () => tool('mcp__srv__other', {})],
  ]),
  refused('in the mode dontAsk', [['Bash', () => bash('python3 -c "print(1)"')]], {
    permission_mode: 'dontAsk',
  }),
  refused('in the mode auto', [['Bash', () => bash('python3 -c "print(1)"')]], { permission_mode: 'auto' }),
  refused(
    'by deny rules',
    [
      ['Read', ({ folder }) => read(join(folder, 'secret', 'a.txt'))],
      ['Bash', () => bash('cat secret/a.txt')],
      ['Write', ({ folder }) => write(join(folder, 'sealed', 'b.txt'))],
      ['Bash', () => bash('wc a.txt')],
      ['WebSearch', () => tool('WebSearch', { query: 'x' })],
      ['WebFetch', () => tool('WebFetch', { url: 'http://example.org/', prompt: 'x' })],
      ['mcp__srv__do', () => tool('mcp__srv__do', {})],
      ['Skill', () => tool('Skill', { skill: 'simplify' })],
      ['Agent', (scene) => help(scene, { subagent_type: 'Explore' })],
    ],
    BASH,
  ),
  refused(
    'by the fence around the queue folder',
    [
      ['Write', ({ folder }) => write(join(folder, '..', 'claude_queue', 'extra.txt'))],
      ['Bash', () => bash('echo x > ../claude_queue/extra.txt')],
    ],
    BASH,
  ),
  refused(
    'by hooks',
    [
      ['Bash', () => bash('echo hooked')],
      ['Bash', () => bash('echo denied by hook')],
    ],
    BASH,
  ),
  {
    name: 'whose subagent is refused an action',
    steps: (scene) => [help(scene)],
    subagent: ({ folder }) => [read(join(folder, 'secret', 'a.txt'))],
    shown: 'review',
    reason: 'denied',
    refused: ['Read'],
  },
];

const UNFINISHED: readonly Case[] = [
  {
    name: 'in plan mode',
    steps: () => [],
    row: { permission_mode: 'plan' },
    shown: 'review',
    reason: 'plan-mode',
  },
  {
    name: 'that offers a plan',
    steps: () => [tool('ExitPlanMode', { plan: '# Plan\n1. Delete it' })],
    row: { permission_mode: 'plan' },
    shown: 'review',
    reason: 'plan-mode',
    message: /: # Plan 1\. Delete it$/,
  },
  {
    name: 'that enters plan mode',
    steps: () => [tool('EnterPlanMode', {})],
    shown: 'review',
    // Older ones enter it, newer ones do not offer the tool.
    reason: { '2.1.90': 'plan-mode', other: 'denied' },
  },
  {
    name: 'that asks a question',
    steps: () => [tool('AskUserQuestion', { questions: [QUESTION] })],
    shown: 'review',
    reason: 'needs-answer',
    message: /^Delete it or keep it\? \(Delete \/ Keep\)$/,
  },
  { name: 'without an answer', steps: () => [EMPTY, EMPTY], shown: 'review', reason: 'empty-answer' },
  {
    name: 'whose subagent failed',
    steps: (scene) => [help(scene)],
    subagent: () => [invalidRequest('no')],
    shown: 'review',
    reason: 'helper-failed',
    message: /Help out/,
  },
  {
    name: 'whose subagent stopped at a usage limit',
    steps: (scene) => [help(scene, { model: 'opus' })],
    subagent: () => [limit({ kind: 'seven_day_opus', resetInSeconds: 90_000 })],
    shown: 'review',
    reason: 'limit-reached',
  },
  {
    name: 'whose only edit failed',
    steps: (scene) => [read(join(scene.folder, 'a.txt')), edit(scene, 'three')],
    shown: 'review',
    reason: 'changes-failed',
  },
];

const FINISHED: readonly Case[] = [
  {
    name: 'with a failing test and a refusal’s words on the way',
    steps: () => [bash(`echo '${PERMISSION}'; exit 1`), bash('grep nothing a.txt'), bash('true')],
    row: BASH,
    shown: 'completed',
  },
  {
    name: 'that repeated a failed edit',
    steps: (scene) => [read(join(scene.folder, 'a.txt')), edit(scene, 'three'), edit(scene, 'one')],
    shown: 'completed',
  },
  {
    name: 'whose answer quotes a question and a limit',
    steps: () => [
      text(
        'The page asks "Delete it or keep it?" and says "You\'ve hit your 5-hour limit · resets 9pm (UTC)".',
      ),
    ],
    shown: 'completed',
  },
  {
    name: 'whose subagent says the words of a refusal and of a limit',
    steps: (scene) => [help(scene, FOREGROUND)],
    subagent: () => [text(`${PERMISSION} You've hit your 5-hour limit · resets 9pm (UTC)`)],
    shown: 'completed',
  },
  {
    name: 'whose subagent was repeated with success',
    steps: (scene) => [help(scene, FOREGROUND), help(scene, FOREGROUND)],
    subagent: (_, nth) => [nth === 1 ? invalidRequest('no') : text('Helped.')],
    shown: 'completed',
  },
];

const CASES = [...REFUSED, ...UNFINISHED, ...FINISHED];

const DENIAL = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'Not on Sundays.',
  },
});

/** Rules for the cases, and hooks that refuse one command each. */
const SETTINGS = {
  permissions: {
    deny: [
      ...['Read(secret/**)', 'Edit(sealed/**)', 'Bash(wc:*)', 'WebSearch', 'mcp__srv__do'],
      ...['WebFetch(domain:example.org)', 'Skill(simplify)', 'Agent(Explore)'],
    ],
    ask: ['Bash(date:*)'],
  },
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command: 'if grep -q "echo hooked"; then exit 2; fi' },
          { type: 'command', command: `if grep -q "denied by hook"; then echo '${DENIAL}'; fi` },
        ],
      },
    ],
  },
};

/** An attempt, as `history --json` has it. */
interface Reported {
  readonly id: number;
  readonly outcome: string;
  readonly reason: string;
  readonly message: string;
  readonly denials: readonly { readonly tool: string }[];
}

/** Plays the cases. A subagent has the prompt that Claude gave it, and no other. */
function play(folderOf: (id: number) => string): (turn: Turn) => Reply {
  const subagents = new Map<string, number>();
  return ({ userTexts, toolResults }) => {
    const words = userTexts.join('\n');
    const id = Number(/<(\d+)>/.exec(words)?.[1]);
    const played = CASES[id - 1];
    if (played === undefined) return text('There is no such case.');
    const { steps, subagent } = played;
    const scene = { folder: folderOf(id), id };
    if (words.includes(`Do <${String(id)}>`)) return steps(scene)[toolResults] ?? text('Done.');
    const nth = (subagents.get(words) ?? 0) + (toolResults === 0 ? 1 : 0);
    subagents.set(words, nth);
    return subagent?.(scene, nth)[toolResults] ?? text('Helped.');
  };
}

async function runAll(
  program: string,
): Promise<{ history: ReadonlyMap<number, Reported>; gates: readonly Gate[] }> {
  const folders = new Map<number, string>();
  const place = await openPlace({
    respond: play((id) => folders.get(id) ?? ''),
    env: { CLAUDE_QUEUE_CLAUDE: program, CLAUDE_QUEUE_MAX_RUNNING: '3', CLAUDE_QUEUE_MAX_PER_HOUR: '1000' },
  });
  const { queue, home } = place;
  const rules = join(home.env['HOME'] ?? '', '.claude');
  mkdirSync(rules);
  writeFileSync(join(rules, 'settings.json'), JSON.stringify(SETTINGS));
  for (const id of CASES.keys()) {
    const folder = join(queue.folder, `part${String(id + 1)}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    folders.set(id + 1, folder);
  }
  await queue.trust(
    CASES.map(({ row }, index) => {
      const id = index + 1;
      const own = { id, prompt: `Do <${String(id)}>`, working_dir: `part${String(id)}` };
      return { ...own, permission_mode: 'acceptEdits', ...row };
    }),
  );
  const { code, stdout } = await queue.run('work --workers 3 --until-empty');
  assert.equal(code, 0, stdout);
  const { attempts } = JSON.parse((await queue.run('history --json')).stdout) as { attempts: Reported[] };
  const { gates } = JSON.parse((await queue.run('status --json')).stdout) as { gates: Gate[] };
  return { history: new Map(attempts.map((attempt) => [attempt.id, attempt])), gates };
}

interface Gate {
  readonly kind: string;
  readonly model: string | null;
}

for (const claude of releases('oldest', 'newest')) {
  describe(`An attempt with Claude Code ${claude.version}`, () => {
    let history: ReadonlyMap<number, Reported>;
    let gates: readonly Gate[];

    before('all tasks have run', async () => {
      ({ history, gates } = await runAll(claude.program));
    });

    for (const [index, { name, shown, reason, message, refused: tools = [] }] of CASES.entries()) {
      it(`${name} is ${shown === 'review' ? 'for review' : 'completed'}`, () => {
        const reported = history.get(index + 1);
        assert.ok(reported !== undefined);
        const wanted = typeof reason === 'object' ? (reason[claude.version] ?? reason['other']) : reason;
        const [outcome, word] = shown === 'review' ? ['review', wanted] : ['success', 'done'];
        assert.deepEqual([reported.outcome, reported.reason], [outcome, word], reported.message);
        if (message !== undefined) assert.match(reported.message, message);
        const listed = reported.denials.map((denial) => denial.tool);
        if (tools.length > 0) assert.deepEqual(listed.toSorted(), tools.toSorted());
      });
    }

    it('whose subagent stopped at a usage limit closes the gate of that model alone', () => {
      assert.deepEqual(
        gates.map(({ kind, model }) => [kind, model]),
        [['seven_day_opus', 'opus']],
      );
    });
  });
}
