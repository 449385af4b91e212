import { isAbout } from '../support/queuePlace';
import { text } from '../support/replies';
import type { Reply } from '../support/replies';
import type { Turn } from '../support/turn';

/** Claude answers these prompts when the test says so, and all others at once. */
export class HeldAnswers {
  private readonly given = new Map<string, () => void>();
  private readonly answers = new Map<string, Promise<void>>();

  constructor(prompts: readonly string[]) {
    for (const prompt of prompts)
      this.answers.set(prompt, new Promise((give) => this.given.set(prompt, give)));
  }

  /** From now on the prompt is answered, if it was asked already at once. */
  give(prompt: string): void {
    this.given.get(prompt)?.();
  }

  readonly respond = async (turn: Turn): Promise<Reply> => {
    const prompt = [...this.answers.keys()].find((one) => isAbout(turn, one));
    if (prompt === undefined) return text('Done.');
    await this.answers.get(prompt);
    return text(`I did it: ${prompt}.`);
  };
}
