import { ModelQueue } from './model/modelQueue';
import { FileStore } from './file/fileStore';
import type { FileStoreOptions } from './file/storeOptions';
import { ForeignHistory, type ForeignOptions } from './file/journal/foreignHistory';
import type { TaskQueue } from './taskQueue';

/** Opens the queue in a CSV file. @throws Problem `queue-missing`, `queue-unreadable` */
export async function openFileQueue(options: FileStoreOptions): Promise<TaskQueue> {
  return new ModelQueue(await FileStore.open(options), options.machine);
}

/** Opens a history that `openFileQueue` refuses with `state-foreign`, to list, adopt or archive it. */
export function openForeignHistory(options: ForeignOptions): Promise<ForeignHistory> {
  return ForeignHistory.open(options);
}
