import { QueueSite, type SiteOptions } from '../app/site';
import type { System } from './system';

/** The options that every command has. */
export type GlobalOptions = SiteOptions;

/** What a command works with. */
export class Context extends QueueSite {
  constructor(
    options: GlobalOptions,
    readonly system: System,
  ) {
    super(options, system);
  }
}
