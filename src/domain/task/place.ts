import type { Definition } from './task';

/**
 * Place in which an attempt runs. A claim gets it from the row, and from then on it is that of the attempt, whatever
 * becomes of the row.
 */
export interface Place {
  /** Absolute path of the folder, with links resolved. */
  readonly folder: string;
  /** Working directory as the row names it: a path with links, or `repo:NAME/folder`; absent where that is `folder`. */
  readonly through?: string;
  /** Top of its git repository, without links; absent: nobody has asked git. */
  readonly top?: string;
}

/** Working directory of a row, and where this machine has it. */
export interface NamedFolder extends Pick<Definition, 'workingDir'> {
  readonly realDir?: string | undefined;
}

/**
 * Returns the place in which an attempt of a row runs on this machine. Of a row with a `missingRepository` it has the text
 * of the row: such a row does not start.
 */
export function placeOf({ workingDir, realDir }: NamedFolder): Place {
  return realDir === undefined ? { folder: workingDir } : { folder: realDir, through: workingDir };
}

/** Returns the folder of a place if the row names it by another text; that text alone does not say where it is. */
export function folderBehind({ folder, through }: Place): string | undefined {
  return through === undefined ? undefined : folder;
}

/** A claim or an attempt, as far as it says where it runs or ran. */
export interface Placed {
  /** Absent where an older version recorded it. */
  readonly place?: Place;
  /** Folder of the place, in claims of older versions. */
  readonly workingDir?: string;
}

/** Returns the place that was recorded with a claim or an attempt. Where none was, returns that of its row. */
export function placeOfAttempt(recorded: Placed, row: Definition): Place;
export function placeOfAttempt(recorded: Placed, row: Definition | undefined): Place | undefined;
export function placeOfAttempt(
  { place, workingDir }: Placed,
  row: Definition | undefined,
): Place | undefined {
  if (place !== undefined) return place;
  if (workingDir !== undefined) return { folder: workingDir };
  return row === undefined ? undefined : placeOf(row);
}
