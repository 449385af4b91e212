import * as path from 'node:path';
import type { Place } from '../../domain/problem';
import type { SettingProblem } from '../../domain/settings/settings';
import { placeInConfig } from '../../platform/files/config';
import { describeSettingProblem } from '../present/problems/settingProblem';

/** Invalid setting and its place; a setting of the environment has no line. */
export interface PlacedSetting {
  /** Its file, or the environment. */
  readonly source: string;
  /** Name as written there. */
  readonly name: string;
  readonly place: Place | null;
  readonly message: string;
}

/** Locates invalid settings in their files. */
export function placeSettings(problems: readonly SettingProblem[]): Promise<PlacedSetting[]> {
  return Promise.all(
    problems.map(async (problem) => ({
      source: problem.source,
      name: problem.name,
      place: path.isAbsolute(problem.source) ? await placeInConfig(problem.source, problem.name) : null,
      message: describeSettingProblem(problem),
    })),
  );
}

/** Formats the place of an invalid setting. */
export function describePlace({ source, place }: Pick<PlacedSetting, 'source' | 'place'>): string {
  return place === null ? source : `${source}:${String(place.line)}:${String(place.column)}`;
}

/** Returns the first lines of a report about a queue whose settings are invalid. */
export function describeWrongSettings(settings: readonly PlacedSetting[]): string[] {
  if (settings.length === 0) return [];
  const lines = settings.map((one) => `${describePlace(one)}  ${one.message}`);
  return ['Invalid settings. No task starts until they are fixed.', ...lines];
}

/** JSON of invalid settings; line and column are null for the environment. */
export function settingsAsJson(settings: readonly PlacedSetting[]): object[] {
  return settings.map(({ source, place, message }) => ({
    file: source,
    line: place?.line ?? null,
    column: place?.column ?? null,
    message,
  }));
}
