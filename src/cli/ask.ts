import type { Keyboard, System } from './system';

/** Asks a question in the terminal and returns the line typed; null if there is no terminal, or if its input ended. */
export async function ask(
  { keyboard, out }: Pick<System, 'keyboard' | 'out'>,
  question: string,
): Promise<string | null> {
  if (keyboard === null) return null;
  out(question);
  return readLine(keyboard);
}

function readLine(keyboard: Keyboard): Promise<string | null> {
  return new Promise((resolve) => {
    let text = '';
    const finish = (answer: string | null): void => {
      keyboard.off('data', take);
      keyboard.off('end', end);
      keyboard.pause();
      resolve(answer);
    };
    const take = (data: Buffer): void => {
      text += data.toString();
      if (text.includes('\n')) finish(text.slice(0, text.indexOf('\n')).trim());
    };
    const end = (): void => {
      finish(null);
    };
    keyboard.on('data', take);
    keyboard.on('end', end);
    // An earlier question has paused it, and listeners do not resume it.
    keyboard.resume();
  });
}

/** Asks a question with `[y/N]`; returns whether the answer is yes. */
export async function confirm(system: Pick<System, 'keyboard' | 'out'>, question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ask(system, `${question} [y/N]`)) ?? '');
}
