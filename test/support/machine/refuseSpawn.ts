import { ChildProcess } from 'node:child_process';

/** Lets all starts of programs fail with this code, as Node does: the child has no streams. Gives what takes that back. */
export function refuseSpawn(code: string): () => void {
  const owner = process.getBuiltinModule('node:child_process');
  const { spawn } = owner;
  const refuse = (): ChildProcess => {
    const child = new ChildProcess();
    process.nextTick(() => child.emit('error', Object.assign(new Error(`spawn ${code}`), { code })));
    return child;
  };
  owner.spawn = refuse as typeof spawn;
  return () => {
    owner.spawn = spawn;
  };
}
