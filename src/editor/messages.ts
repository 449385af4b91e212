import * as vscode from 'vscode';
import { hideLinks } from './hiddenLinks';

/** Returns a way to report the progress of a command: each sentence is logged, and added to `kept` for a message. */
export function reportInto(kept: string[], log: vscode.LogOutputChannel): (sentence: string) => void {
  return (sentence) => {
    kept.push(sentence);
    log.info(sentence);
  };
}

type Show = typeof vscode.window.showInformationMessage;

/** Returns a way to show messages without links: most of them quote what Claude or a file says. A proxy keeps the overloads. */
function withoutLinks(name: 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage'): Show {
  return new Proxy<Show>(vscode.window[name], {
    apply: (show, window, [message, ...rest]: [string, ...unknown[]]): unknown =>
      Reflect.apply(show, window, [hideLinks(message), ...rest]),
  });
}

/** Like `showInformationMessage` of VS Code, without links in the message. */
export const showInformation = withoutLinks('showInformationMessage');

/** Like `showWarningMessage` of VS Code, without links in the message. */
export const showWarning = withoutLinks('showWarningMessage');

/** Like `showErrorMessage` of VS Code, without links in the message. */
export const showError = withoutLinks('showErrorMessage');
