import { execFileSync } from 'node:child_process';

/** A repository in a folder, used as the user does who has no configuration of their own. */
export class GitRepository {
  constructor(readonly folder: string) {}

  /** Makes it, and returns it. */
  static init(folder: string): GitRepository {
    const repository = new GitRepository(folder);
    repository.git('init', '-q', '-b', 'main');
    return repository;
  }

  /** Runs a command of git there, and gives what it prints. */
  git(...args: readonly string[]): string {
    const who = ['-c', 'user.name=n', '-c', 'user.email=e'];
    return execFileSync('git', [...who, ...args], { cwd: this.folder, encoding: 'utf8', stdio: 'pipe' });
  }

  commitAll(message: string): void {
    this.git('add', '-A', '-f');
    this.git('commit', '-qm', message);
  }

  /** Takes over what another one has, as `git pull` does. */
  pullFrom(other: GitRepository): void {
    this.git('pull', '-q', '--ff-only', other.folder, 'main');
  }
}
