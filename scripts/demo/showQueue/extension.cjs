// Opens the view and the queue file once the editor of the demonstration has started: no setting does that.
const vscode = require('vscode');

exports.activate = async () => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) return;
  await vscode.commands.executeCommand('claudeQueue.tasks.focus');
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, 'claude_queue', 'prompts.csv'));
};
