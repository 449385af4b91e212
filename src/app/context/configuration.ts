import { defaults, readSettings, type SettingProblem, type Settings } from '../../domain/settings/settings';
import { Problem } from '../../domain/problem';
import { systemClock } from '../../platform/clock';
import { readConfig } from '../../platform/files/config';
import { hasCode } from '../../platform/files/files';
import { isSameStamp, isReliable, stampOf, type FileStamp } from '../../platform/files/fileStamp';
import { t } from '../../platform/text/translate';
import { describeWithSource } from '../present/problems/settingProblem';
import type { Host } from './host';

/** Valid settings, and problems with the rest. */
export interface Configuration {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
  /** Time zone of the queue: its setting, or else the machine's. */
  readonly timeZone: string;
}

/** Paths of the settings files. */
export interface SettingsFiles {
  /** The user's own file. */
  readonly machine: string;
  /** The queue's file. */
  readonly queue: string;
}

/** Current settings; read again when one of their files changed. */
export class LiveConfiguration {
  private kept: { readonly stamps: Stamps; readonly configuration: Configuration } | null = null;
  private lastRight: Configuration;
  private wasRight = false;

  constructor(
    readonly files: SettingsFiles,
    private readonly host: Pick<Host, 'env' | 'timeZone'>,
  ) {
    this.lastRight = { settings: defaults, problems: [], timeZone: host.timeZone };
  }

  /** The last settings without a problem; before there were any, the last settings read. */
  get last(): Configuration {
    return this.lastRight;
  }

  /**
   * Returns the current settings; the same object as long as nothing changed.
   * @throws Problem `settings-invalid` if a file must not be read at all, or names a time zone that does not exist
   */
  async look(): Promise<Configuration> {
    const { kept } = this;
    const now = systemClock.now();
    const stamps = [findStamp(this.files.machine), findStamp(this.files.queue)] as const;
    if (kept !== null && areSame(kept.stamps, stamps)) return kept.configuration;
    const configuration = await this.readFiles();
    // A file that was just changed may change again without changing its time.
    const report = stamps.every(
      (stamp) => stamp === 'none' || (stamp !== 'unknown' && isReliable(stamp, now)),
    );
    this.kept = report ? { stamps, configuration } : null;
    this.wasRight ||= configuration.problems.length === 0;
    if (configuration.problems.length === 0 || !this.wasRight) this.lastRight = configuration;
    return configuration;
  }

  /**
   * Returns the current settings if all are valid: nothing may run unattended by a misread rule.
   * @throws Problem `settings-invalid`
   */
  async read(): Promise<Configuration> {
    const configuration = await this.look();
    if (configuration.problems.length === 0) return configuration;
    const lines = configuration.problems.map(describeWithSource);
    throw new Problem('settings-invalid', t('Invalid settings:\n{0}', lines.join('\n')));
  }

  private async readFiles(): Promise<Configuration> {
    const { machine, queue } = this.files;
    const { settings, problems } = readSettings(
      [
        { source: machine, scope: 'machine', values: await readConfig(machine) },
        { source: queue, scope: 'queue', values: await readConfig(queue) },
      ],
      this.host.env,
    );
    // The times of rows are recorded, and would stay wrong after the name is corrected.
    const unknownZone = problems.find(isOfTimeZone);
    if (unknownZone !== undefined) throw new Problem('settings-invalid', describeWithSource(unknownZone));
    const timeZone = settings.timeZone === '' ? this.host.timeZone : settings.timeZone;
    return { settings, problems, timeZone };
  }
}

function isOfTimeZone({ fault }: SettingProblem): boolean {
  return fault.kind === 'wrong-value' && fault.setting === 'timeZone';
}

type Stamp = FileStamp | 'none' | 'unknown';

type Stamps = readonly [Stamp, Stamp];

function findStamp(file: string): Stamp {
  try {
    return stampOf(file);
  } catch (error) {
    // The code that reads the file reports other errors.
    return hasCode(error, 'ENOENT') ? 'none' : 'unknown';
  }
}

function areSame(before: Stamps, now: Stamps): boolean {
  return before.every((stamp, index) => {
    const other = now[index];
    if (typeof stamp === 'string' || typeof other === 'string') return stamp === 'none' && other === 'none';
    return other !== undefined && isSameStamp(stamp, other);
  });
}
