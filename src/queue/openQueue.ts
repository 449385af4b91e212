import { ModelQueue } from './model/modelQueue';
import { FileStore, type FileStoreOptions } from './file/fileStore';
import type { TaskQueue } from './taskQueue';

/** Opens the queue in a CSV file. @throws Problem `queue-missing`, `queue-unreadable` */
export async function openFileQueue(options: FileStoreOptions): Promise<TaskQueue> {
  return new ModelQueue(await FileStore.open(options), options.machine);
}
