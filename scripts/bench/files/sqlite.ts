import { loadSqlite } from './peers';

/**
 * A queue as one keeps it in SQLite: the end of a task is a durable transaction, the claim of the next another one. Null where
 * it is not installed.
 */
export function sqliteQueue(
  file: string,
  count: number,
): { step(running: number | null): number; close(): void } | null {
  const Database = loadSqlite();
  if (Database === null) return null;
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(
    'create table task (id integer primary key, status integer, rank integer, prompt text, owner text, lease integer); ' +
      'create index ready on task (rank, id) where status = 0',
  );
  const insert = database.prepare('insert into task values (?, 0, ?, ?, null, null)');
  database.transaction(() => {
    for (let id = 1; id <= count; id++) insert.run(id, id, `Part ${id} `.repeat(20));
  })();
  const finish = database.prepare('update task set status = 2, owner = null where id = ? and owner = ?');
  const claim = database.prepare(
    'update task set status = 1, owner = ?, lease = ? where id = ' +
      '(select id from task where status = 0 order by rank, id limit 1) returning id, prompt',
  );
  return {
    step(running) {
      if (running !== null) finish.run(running, 'worker');
      return (claim.get('worker', Date.now() + 30_000) as { readonly id: number }).id;
    },
    close: () => database.close(),
  };
}
