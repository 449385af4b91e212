import * as vscode from 'vscode';
import type { ExtensionServices } from '../state/extensionServices';
import type { VersionReader } from './versionReader';
import { parseUri, SCHEME } from './versionUri';
import { t } from '../../platform/text/translate';

const READ_ONLY = t('This version is kept of an attempt. It cannot be changed.');

/** Shows kept versions of files (`versionUri`) as files that can be read only. */
export function registerVersionFiles(parts: Pick<ExtensionServices, 'settings' | 'log'>): vscode.Disposable {
  const options = { isCaseSensitive: true, isReadonly: new vscode.MarkdownString(READ_ONLY) };
  return vscode.workspace.registerFileSystemProvider(SCHEME, new VersionFiles(parts), options);
}

class VersionFiles implements vscode.FileSystemProvider {
  private reader: VersionReader | undefined;
  /** Never fires: they do not change. */
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  constructor(private readonly parts: Pick<ExtensionServices, 'settings' | 'log'>) {}

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { length: size } = await this.readFile(uri);
    const permissions = vscode.FilePermission.Readonly;
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size, permissions };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const version = parseUri(uri);
    if (version === null) throw vscode.FileSystemError.FileNotFound(uri);
    // It starts git.
    if (!vscode.workspace.isTrusted)
      throw vscode.FileSystemError.NoPermissions(t('This workspace is not trusted.'));
    const { VersionReader: Reader } = await import('./versionReader');
    this.reader ??= new Reader(() => this.parts.settings.environment());
    try {
      return await this.reader.read(version);
    } catch (error) {
      this.parts.log.warn(`${uri.path} cannot be read: ${String(error)}`);
      throw vscode.FileSystemError.Unavailable(t('This version is not kept any more, or git is missing.'));
    }
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  createDirectory(): never {
    return refuse();
  }

  writeFile(): never {
    return refuse();
  }

  delete(): never {
    return refuse();
  }

  rename(): never {
    return refuse();
  }
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions(READ_ONLY);
}
