import { isAbout } from '../../support/queue/queuePlace';
import { text } from '../../support/claude/replies';
import type { Reply } from '../../support/claude/replies';
import type { Turn } from '../../support/claude/turn';

interface Answer {
  readonly given: Promise<void>;
  give(): void;
}

/** Claude answers these prompts when the test says so, and all others at once. */
export class WithheldAnswers {
  private readonly answers: ReadonlyMap<string, Answer>;

  constructor(prompts: readonly string[]) {
    this.answers = new Map(prompts.map((prompt) => [prompt, hold()]));
  }

  readonly respond = async (turn: Turn): Promise<Reply> => {
    for (const [prompt, { given }] of this.answers) if (isAbout(turn, prompt)) await given;
    return text('It is done.');
  };

  /** Lets this prompt be answered, now or when it comes. */
  give(prompt: string): void {
    this.answers.get(prompt)?.give();
  }
}

function hold(): Answer {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}
