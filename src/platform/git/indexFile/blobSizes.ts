import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { isOfSystem, makePrivateFolder, quietly, replaceDurably } from '../../files/files';
import { ID_BYTES, type ObjectFormat } from '../bareRepository';
import type { Git } from '../git';
import { IdTable } from './idTable';
import type { IndexBytes } from './indexCursor';

/** Most sizes to remember, unless an index has more entries: about 50 MB. */
const MOST = 500_000;

/** Largest index to remember as a whole. */
const LARGEST_INDEX_BYTES = 64 * 1024 * 1024;

/** Least part of the known sizes that has to be new at once before all are written again. */
const LEAST_NEW = 0.1;

/**
 * Sizes of the contents that git has, by the names of their objects. The size of a name never changes, so what is
 * remembered holds for every repository and whatever happens to it. It is kept in files, for git takes longer to answer
 * for all objects of a large repository than for all else of a look.
 */
export class BlobSizes {
  private readonly tables = new Map<ObjectFormat, IdTable>();
  /** Last index in which all files had the sizes of their objects. */
  private last: IndexBytes | undefined;

  /** @param folder folder of the user's own for the files; undefined: sizes are remembered in memory only */
  constructor(private readonly folder?: string) {}

  /** Returns the last index in which all files had the sizes of their objects; undefined: there was none of this format. */
  lastSame(format: ObjectFormat): IndexBytes | undefined {
    return this.last?.format === format ? this.last : undefined;
  }

  /** Remembers an index in which all files have the sizes of their objects. */
  noteSame(index: IndexBytes): void {
    this.last = index.bytes.length > LARGEST_INDEX_BYTES ? undefined : index;
  }

  /**
   * Returns the known sizes in repositories of this format. Forgets them first if they are many more than the entries of
   * the index that is looked at now.
   */
  of(format: ObjectFormat, entries: number): IdTable {
    const table = this.tableOf(format);
    if (table.size > Math.max(MOST, 2 * entries)) table.clear();
    return table;
  }

  /**
   * Asks git for the sizes of objects, and remembers those of the ones that it has. Forgets none: they are needed too.
   * @param places where their names start in `bytes`
   */
  async learn(
    { bytes, format }: IndexBytes,
    places: readonly number[],
    git: Git,
    signal: AbortSignal,
  ): Promise<void> {
    if (places.length === 0) return;
    const table = this.tableOf(format);
    table.reserve(places.length);
    const ask = ['cat-file', '--batch-check=%(objectsize)', '--buffer'];
    const answers = (await git(ask, signal, formatIds(bytes, places, ID_BYTES[format]))).split('\n');
    places.forEach((at, index) => {
      const size = Number(answers[index] ?? NaN);
      // Otherwise it is missing: it may come later.
      if (!Number.isNaN(size)) table.set(bytes, at, size);
    });
    if (places.length >= LEAST_NEW * table.size) await this.write(format, table);
  }

  private tableOf(format: ObjectFormat): IdTable {
    const known = this.tables.get(format);
    if (known !== undefined) return known;
    const table = this.read(format) ?? new IdTable(ID_BYTES[format]);
    this.tables.set(format, table);
    return table;
  }

  private read(format: ObjectFormat): IdTable | null {
    let table: IdTable | null = null;
    quietly(() => {
      if (this.folder !== undefined)
        table = IdTable.parse(readFileSync(fileOf(this.folder, format)), ID_BYTES[format]);
    });
    return table;
  }

  private async write(format: ObjectFormat, table: IdTable): Promise<void> {
    if (this.folder === undefined) return;
    try {
      await makePrivateFolder(this.folder);
      await replaceDurably(fileOf(this.folder, format), table.toBytes());
    } catch (error) {
      // On a full disk, for example, the next process asks git again.
      if (!isOfSystem(error)) throw error;
    }
  }
}

function fileOf(folder: string, format: ObjectFormat): string {
  return path.join(folder, `sizes-${format}`);
}

const HEX_DIGITS = Buffer.from('0123456789abcdef');
const LF = 0x0a;

/** Returns the names of objects as git reads them, one a line. All at once: a text for each takes longer than git does. */
function formatIds(bytes: Buffer, places: readonly number[], idBytes: number): Buffer {
  const lines = Buffer.allocUnsafe(places.length * (2 * idBytes + 1));
  let next = 0;
  for (const start of places) {
    for (let at = start; at < start + idBytes; at++) {
      const byte = bytes[at] ?? 0;
      lines[next++] = HEX_DIGITS[byte >> 4] ?? 0;
      lines[next++] = HEX_DIGITS[byte & 0xf] ?? 0;
    }
    lines[next++] = LF;
  }
  return lines;
}
