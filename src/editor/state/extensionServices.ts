import type { Review } from '../changes/diffTarget';
import type { OpenAttempt, OpenForm, OpenPages, Pages } from '../pages/openPages';
import type { SentDrafts } from '../drafts/sentDrafts';
import type { TreeChoices } from './treeChoices';
import type { InteractiveAttempts } from '../terminals/interactiveAttempts';
import type { WindowServices } from './services';

/** Services of a queue in a window for commands and views. */
export interface ExtensionServices extends WindowServices {
  readonly interactiveAttempts: InteractiveAttempts;
  /** Forms of tasks that are open. */
  readonly forms: OpenPages<OpenForm>;
  /** The user's choices for the tree. */
  readonly choices: TreeChoices;
  /** Pages of attempts, by their task. */
  readonly attempts: OpenPages<OpenAttempt>;
  /** Pages that show HTML. */
  readonly pages: Pages;
  readonly review: Review;
  readonly sentDrafts: SentDrafts;
  /** Folder for the prompts of forms that are open in editors. */
  readonly prompts: string;
  /** Returns the rows of the tree that a key acts on. */
  readonly findKeyTargets: () => Promise<readonly unknown[]>;
}
