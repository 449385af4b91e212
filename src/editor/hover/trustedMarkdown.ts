import * as vscode from 'vscode';
import { commandsOf, layOutHover, type HoverText } from './hoverText';

/** Returns a hover as Markdown whose links may call their own commands, and no others. */
export function toMarkdown(text: HoverText): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(layOutHover(text));
  const enabledCommands = commandsOf(text);
  if (enabledCommands.length > 0) markdown.isTrusted = { enabledCommands };
  return markdown;
}
