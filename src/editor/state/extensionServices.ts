import type { InteractiveRuns } from '../terminals/interactiveRuns';
import type { WindowServices } from './services';

/** What commands and surfaces of one window work with. */
export interface ExtensionServices extends WindowServices {
  readonly interactiveRuns: InteractiveRuns;
}
