import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import ts from 'typescript';
import { SETTING_TEXTS } from '../../src/app/present/settingTexts';
import { defineCommands } from '../../src/cli/commandGroups';
import { SETTINGS } from '../../src/domain/settings/settingList';

const ROOT = resolve(__dirname, '../..');

/** One text that a user can meet. */
export interface UserText {
  /** `file:line`; the file alone where the text is put together from parts. */
  readonly where: string;
  /** Owner of the text: a command and its option, a setting, a key of package.nls.json, or `message`. */
  readonly what: string;
  readonly text: string;
}

/** Every text that a user can meet: help and settings first, then the contributions of the extension, then messages by file. */
export function collectTexts(): UserText[] {
  const messages = listSources().flatMap((file) =>
    findMessages(file, readFileSync(join(ROOT, file), 'utf8')),
  );
  const named = [...listHelp(), ...listSettings()].map(({ what, text, where }) => ({
    where: messages.find((message) => message.text === text)?.where ?? where,
    what,
    text,
  }));
  const isNamed = new Set(named.map(({ where, text }) => `${where} ${text}`));
  const others = messages.filter(({ where, text }) => !isNamed.has(`${where} ${text}`));
  return [...named, ...listContributions(), ...others];
}

/** Source files of the programs, from the top of the checkout. */
export function listSources(): string[] {
  const names = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name}`)
    .sort();
}

function listHelp(): UserText[] {
  const program = new Command('claude-queue');
  defineCommands(program, () => undefined);
  const where = 'src/cli/program.ts';
  const headings = [...new Set(program.commands.map((command) => command.helpGroup()))];
  const commands = program.commands.flatMap((command) => [
    { where, what: command.name(), text: command.description() },
    ...[...command.registeredArguments, ...command.options].map((one) => ({
      where,
      what: `${command.name()} ${'flags' in one ? one.flags : one.name()}`,
      text: one.description,
    })),
  ]);
  return [...headings.map((text) => ({ where, what: 'heading of the help', text })), ...commands];
}

function listSettings(): UserText[] {
  return SETTINGS.map(({ name }) => ({
    where: 'src/app/present/settingTexts.ts',
    what: name,
    text: SETTING_TEXTS[name],
  }));
}

/** The texts of the manifest. */
const NLS = 'package.nls.json';

function listContributions(): UserText[] {
  const source = ts.parseJsonText(NLS, readFileSync(join(ROOT, NLS), 'utf8'));
  const [texts] = source.statements.map(({ expression }) => expression);
  if (texts === undefined || !ts.isObjectLiteralExpression(texts)) return [];
  return texts.properties.flatMap((property) =>
    ts.isPropertyAssignment(property) &&
    ts.isStringLiteral(property.name) &&
    ts.isStringLiteral(property.initializer)
      ? [{ where: place(source, property), what: property.name.text, text: property.initializer.text }]
      : [],
  );
}

/** The string literals and templates of a source file that look like words for people; `part`: only those in this part of it. */
export function findMessages(file: string, code: string, part?: ts.Node): UserText[] {
  const source = part?.getSourceFile() ?? ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: UserText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    const text = textOf(node);
    if (text !== null && isForPeople(text)) found.push({ where: place(source, node), what: 'message', text });
    // The parts of a sum are in its text already.
    if (ts.isBinaryExpression(node) && text !== null) return;
    ts.forEachChild(node, visit);
  };
  visit(part ?? source);
  return found;
}

/** Text of a literal, a template or a sum of them, with {…} for filled-in values; null for any other node. */
export function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans.map((span) => `{${span.expression.getText()}}${span.literal.text}`).join('')
    );
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    return left === null || right === null ? null : left + right;
  }
  return null;
}

/** Two words with a space between them, or one capitalised word: keys, paths and identifiers have neither. */
export function isForPeople(text: string): boolean {
  const words = text.replaceAll(/\{[^}]*\}/g, '');
  return /\p{L}[\p{L}’'"`»]*[.,;:…?!]* +\S|\S +\p{L}/u.test(words) || /^[A-Z][a-z]{2,}[.…:]?$/.test(words);
}

/** `file:line` of a part of a source file. */
export function place(source: ts.SourceFile, node: ts.Node): string {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return `${source.fileName}:${String(line + 1)}`;
}
