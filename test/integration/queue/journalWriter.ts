import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Journal } from '../../../src/queue/file/journal/journal';
import { makeFolder } from './folder';

const journals: Journal<string>[] = [];

afterEach('no journal outlives its test', async () => {
  for (const journal of journals.splice(0)) await journal.close();
});

/** A journal of words; what it adds up to is the words in a row, so that a generation opens with one entry at most. */
export class Writer {
  readonly journal: Journal<string>;
  private words: string[] = [];

  constructor(file: string) {
    this.journal = new Journal<string>(file, archiveOf(file), () => Promise.resolve('x'));
    journals.push(this.journal);
  }

  async sum(): Promise<string> {
    const { restarted, entries } = await this.journal.read();
    this.words = restarted ? [...entries] : [...this.words, ...entries];
    return this.words.join(' ');
  }

  async append(word: string): Promise<boolean> {
    await this.sum();
    return this.appendUnread(word);
  }

  async appendUnread(word: string): Promise<boolean> {
    const isKept = await this.journal.append(word);
    if (isKept) this.words.push(word);
    else await this.succeedSealed();
    return isKept;
  }

  async compact(): Promise<boolean> {
    await this.sum();
    return this.compactUnread();
  }

  async compactUnread(): Promise<boolean> {
    const sum = this.words.join(' ');
    if (await this.journal.rollOver(sum === '' ? [] : [sum])) return true;
    this.journal.rewind();
    this.words = [];
    return false;
  }

  private async succeedSealed(): Promise<void> {
    this.journal.rewind();
    this.words = [];
    await this.sum();
    if (this.journal.isSealed) await this.compactUnread();
  }
}

export function newFile(): string {
  const folder = join(makeFolder(), 'state');
  mkdirSync(folder);
  return join(folder, 'journal');
}

export function sumOf(file: string): Promise<string> {
  return new Writer(file).sum();
}

export async function writerOf(file: string, ...words: readonly string[]): Promise<Writer> {
  const writer = new Writer(file);
  for (const word of words) assert.ok(await writer.append(word));
  return writer;
}

/** Returns the folder for replaced generations of a journal, outside of its own. */
export function archiveOf(file: string): string {
  return join(dirname(dirname(file)), 'archive');
}
