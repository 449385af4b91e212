import type { ScratchFolders } from '../../platform/files/scratchFolders';
import type { TakeSnapshot } from '../../platform/git/snapshot';

/** Copies of the files before attempts. */
export interface FilesBefore {
  readonly take: TakeSnapshot;
  readonly scratch: Pick<ScratchFolders, 'make' | 'remove' | 'removeLeftovers'>;
}
