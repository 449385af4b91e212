import type { Browser, Page } from 'playwright-core';

/** VS Code's server, with its extension hosts and terminals in a process group of its own. */
export interface HostServer {
  /** Its address on loopback. Any program on this machine that knows it may connect. */
  readonly url: string;
  readonly authority: string;
  /** Where everything of it lies; gone after `stop`. */
  readonly folder: string;
  /** Output so far. */
  readonly log: string;
  /** Resolves when it has ended, and says how. */
  readonly ended: Promise<string>;
  /** The address that opens this folder, or .code-workspace file, in a browser. */
  addressOf(folder: string): string;
  /** Ends the process group and removes the folder. What the extension detached from the group is the caller's. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** All of it: nothing is inherited. Without HOME it has a home of its own. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's settings, beside those that keep it quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Folders or .vsix files of extensions, there as if the user had installed them. */
  readonly extensions?: readonly string[];
  /** Whether a folder is to be trusted first (`asks`); by default every folder is. */
  readonly trust?: 'off' | 'asks';
  /** Password that a browser must enter; without one, the address is enough. */
  readonly password?: string;
  /** Seconds without a browser after which it ends by itself; default: 300. */
  readonly idleTimeoutSeconds?: number;
}

export interface WorkbenchOptions {
  readonly folder: string;
  /** Runs `testsFile`'s `run()` in the extension host, with these folders as extensions under development. */
  readonly development?: {
    readonly extensions: readonly string[];
    readonly testsFile: string;
    readonly onLog: (level: string, args: readonly unknown[]) => void;
    readonly onExit: (code: number) => void;
  };
  readonly size?: { readonly width: number; readonly height: number };
}

export function startServer(options: ServerOptions): Promise<HostServer>;
export function startBrowser(): Promise<Browser>;
export function openWorkbench(browser: Browser, server: HostServer, options: WorkbenchOptions): Promise<Page>;
