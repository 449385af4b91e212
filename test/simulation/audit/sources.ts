import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { parseStored } from '../../../src/account/storedValue';
import { GATE_FORMAT } from '../../../src/account/gateShape';
import { dropVoidProbes, type IsAlive } from '../../../src/domain/gate/probe';
import type { GateView } from '../../../src/domain/gate/gate';
import type { ApprovalSet } from '../../../src/domain/task/approval';
import { readSettings, type Settings } from '../../../src/domain/settings/settings';
import { readCsv } from '../../../src/queue/csv/csvFile';
import { RowReader, type FileRows } from '../../../src/queue/file/reading/rowReader';
import type { Kernel } from '../machine/kernel';
import { ACCOUNT, QUEUE_FILE, SETTINGS_FILE, USER_STATE } from '../program/host';
import { LATEST_MS, Versions } from './versions';

/** The queue file at one moment. */
export interface SheetVersion {
  readonly text: string;
  readonly rows: FileRows;
}

const GATE_FILE = `${USER_STATE}/gates/${ACCOUNT}.json`;
const KEY = createHash('sha256').update(QUEUE_FILE).digest('hex').slice(0, 32);
const APPROVALS_FILE = `${USER_STATE}/approvals/${KEY}.json`;

/** Longest time in ms for which a fault delays processes. */
const HELD_UP_MS = 60_000;

/** Inputs of the decisions of processes, as they are on the disk: each with its last versions. */
export class Sources {
  readonly sheets = new Versions<SheetVersion>();
  readonly settings = new Versions<Settings>();
  readonly gates = new Versions<GateView>();
  readonly approvals = new Versions<ApprovalSet>();
  private readonly dirty = new Set([QUEUE_FILE, SETTINGS_FILE, GATE_FILE, APPROVALS_FILE]);

  private faultAt = -Infinity;

  constructor(
    private readonly kernel: Kernel,
    private readonly isAlive: IsAlive,
  ) {}

  /** Returns the gate without probes that have died, at this time on the wall. */
  withoutDead(gate: GateView, at: number): GateView {
    return dropVoidProbes(gate, at, this.isAlive);
  }

  /** Notes that processes may be delayed from now on, by a lock that a dead one left or because they are stopped. */
  noteFault(): void {
    this.faultAt = this.kernel.now;
  }

  /** Time in ms for which a process may have used an earlier version. */
  get slackMs(): number {
    return this.isDelayed ? HELD_UP_MS : LATEST_MS;
  }

  /** Whether a fault may delay processes now. */
  get isDelayed(): boolean {
    return this.kernel.now - this.faultAt < HELD_UP_MS;
  }

  /** Whether nothing has changed for so long that every process knows it. */
  isSteady(now: number): boolean {
    const { sheets, settings, gates, approvals } = this;
    return (
      !this.isDelayed && [sheets, settings, gates, approvals].every((one) => one.since(now).length === 1)
    );
  }

  /** Notes that a file has changed. Returns whether it is one of these. */
  note(file: string): boolean {
    if (![QUEUE_FILE, SETTINGS_FILE, GATE_FILE, APPROVALS_FILE].includes(file)) return false;
    this.dirty.add(file);
    return true;
  }

  /** Reads what has changed. */
  async update(): Promise<void> {
    const { now } = this.kernel;
    if (this.dirty.delete(SETTINGS_FILE)) {
      this.settings.add(this.readSettings(), now);
      // Other settings give the rows another meaning.
      this.dirty.add(QUEUE_FILE);
    }
    if (this.dirty.delete(GATE_FILE))
      this.gates.add(parseStored(this.text(GATE_FILE), GATE_FILE, GATE_FORMAT), now);
    if (this.dirty.delete(APPROVALS_FILE)) this.approvals.add(this.readApprovals(), now);
    if (this.dirty.delete(QUEUE_FILE)) await this.readSheet(now);
  }

  private text(file: string): string | null {
    return this.kernel.disk.read(file)?.toString() ?? null;
  }

  private readSettings(): Settings {
    const values: unknown = parse(this.text(SETTINGS_FILE) ?? '') ?? {};
    return readSettings([{ source: SETTINGS_FILE, scope: 'queue', values }], {}).settings;
  }

  private readApprovals(): ApprovalSet {
    const empty = { trusted: false, powers: [] as string[] };
    const isRight = (_value: unknown): _value is typeof empty => true;
    const { trusted, powers } = parseStored(this.text(APPROVALS_FILE), APPROVALS_FILE, { empty, isRight });
    return { trusted, approvals: new Set(powers) };
  }

  private async readSheet(now: number): Promise<void> {
    const bytes = this.kernel.disk.read(QUEUE_FILE);
    if (bytes === null) return;
    const { allowBypass, priorityRules } = this.settings.newest;
    const context = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass, priorityRules };
    const reader = new RowReader(() => context);
    this.sheets.add({ text: bytes.toString(), rows: await reader.read(readCsv(bytes)) }, now);
  }
}
