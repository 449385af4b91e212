import * as path from 'node:path';
import type { Place } from '../../domain/problem';
import type { SettingProblem } from '../../domain/settings/settings';
import { placeInConfig } from '../../platform/files/config';
import { describeSettingProblem } from '../present/problems/settingProblem';

/** A setting that was not taken, and where it is; the environment has no lines. */
export interface PlacedSetting {
  /** Its file, or what else holds it. */
  readonly source: string;
  readonly place: Place | null;
  readonly message: string;
}

/** Where the settings are that were not taken. */
export function placeSettings(problems: readonly SettingProblem[]): Promise<PlacedSetting[]> {
  return Promise.all(
    problems.map(async (problem) => ({
      source: problem.source,
      place: path.isAbsolute(problem.source) ? await placeInConfig(problem.source, problem.name) : null,
      message: describeSettingProblem(problem),
    })),
  );
}

/** The place of such a setting, as people are told it. */
export function describePlace({ source, place }: PlacedSetting): string {
  return place === null ? source : `${source}:${String(place.line)}:${String(place.column)}`;
}

/** First lines for anyone who looks at a queue whose settings are wrong. */
export function describeWrongSettings(settings: readonly PlacedSetting[]): string[] {
  if (settings.length === 0) return [];
  const lines = settings.map((one) => `${describePlace(one)}  ${one.message}`);
  return ['Invalid settings. No task starts until they are fixed.', ...lines];
}

/** The same for programs; what the environment holds has neither line nor column. */
export function settingsAsJson(settings: readonly PlacedSetting[]): object[] {
  return settings.map(({ source, place, message }) => ({
    file: source,
    line: place?.line ?? null,
    column: place?.column ?? null,
    message,
  }));
}
