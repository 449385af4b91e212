/** Whether a setting belongs to the queue, so that every worker follows it, or to the machine that runs it. */
export type SettingScope = 'queue' | 'machine';

interface Named {
  readonly name: string;
  readonly scope: SettingScope;
}

/** A setting that is a length of time. */
export interface DurationSetting extends Named {
  readonly type: 'duration';
  /** Default as written, with its unit. */
  readonly default: string;
  readonly minMs: number;
  /** Absent: ten years. */
  readonly maxMs?: number;
}

/** A setting that is a number. */
export interface NumberSetting extends Named {
  readonly type: 'integer' | 'number';
  /** Unit of the number. */
  readonly unit: string;
  readonly default: number;
  readonly min: number;
  readonly max?: number;
}

interface BooleanSetting extends Named {
  readonly type: 'boolean';
  readonly default: boolean;
}

interface ChoiceSetting extends Named {
  readonly type: 'choice';
  readonly default: string;
  readonly choices: readonly string[];
  /** Choices of the setting of VS Code with this name; absent: the same. */
  readonly inEditor?: readonly string[];
}

interface TextSetting extends Named {
  /** A `secret` is never shown. */
  readonly type: 'text' | 'timeZone' | 'url' | 'secret';
  readonly default: string;
}

/** A setting with parts, read by the module of its rule. */
export interface StructuredSetting extends Named {
  readonly type:
    | 'quietHours'
    | 'priorityRules'
    | 'pools'
    | 'folders'
    | 'repositories'
    | 'priorities'
    | 'commandLine'
    | 'networks';
  /** Default as written in YAML. */
  readonly default: '[]' | '{}' | '["critical"]';
}

/** An entry of the settings list. */
export type Setting =
  DurationSetting | NumberSetting | BooleanSetting | ChoiceSetting | TextSetting | StructuredSetting;
