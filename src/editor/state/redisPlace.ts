import type * as vscode from 'vscode';
import { REDIS_PASSWORD } from '../../platform/processes/environment';

/** Queue in Redis that the user's settings name, and its password, which is kept in the editor's secret storage. */
export class RedisPlace {
  constructor(
    readonly address: string,
    private readonly secrets: vscode.SecretStorage,
  ) {}

  /** Returns the variable with the password for programs that use the queue; nothing if there is no password. */
  async environment(): Promise<Readonly<Record<string, string>>> {
    const password = await this.secrets.get(this.key);
    return password === undefined ? {} : { [REDIS_PASSWORD]: password };
  }

  /** Keeps the password; an empty one removes it. */
  async setPassword(password: string): Promise<void> {
    if (password === '') await this.secrets.delete(this.key);
    else await this.secrets.store(this.key, password);
  }

  /** Calls back when the password changes, in any window. */
  onDidChangePassword(changed: () => void): vscode.Disposable {
    return this.secrets.onDidChange(({ key }) => {
      if (key === this.key) changed();
    });
  }

  /** A password belongs to one address: it is never sent to another server. */
  private get key(): string {
    return `redisPassword ${this.address}`;
  }
}
