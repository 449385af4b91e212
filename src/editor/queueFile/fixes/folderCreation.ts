import * as vscode from 'vscode';

/** Command that creates a folder. Only a quick fix calls it. */
export const CREATE_FOLDER = 'claudeQueue.createWorkingDirectory';

/** Registers the command of the quick fix for a working directory that is missing. */
export function registerFolderCreation(): vscode.Disposable {
  return vscode.commands.registerCommand(CREATE_FOLDER, (folder: string) =>
    vscode.workspace.fs.createDirectory(vscode.Uri.file(folder)),
  );
}
