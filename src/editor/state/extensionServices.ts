import type { InteractiveRuns } from '../terminals/interactiveRuns';
import type { WindowServices } from './services';

/** Services of one window for its commands and views. */
export interface ExtensionServices extends WindowServices {
  readonly interactiveRuns: InteractiveRuns;
}
