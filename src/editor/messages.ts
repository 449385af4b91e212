import * as vscode from 'vscode';
import { hideLinks } from './hiddenLinks';

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
