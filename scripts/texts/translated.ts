import ts from 'typescript';
import { findMessages, place, textOf, type UserText } from './collect';

/** The name of the function that translates: src/platform/text/translate.ts. */
const TRANSLATE = 't';

/** Calls whose texts stay English: the log of the extension, and faults of the program. */
const NOT_SHOWN = /^(?:(?:this\.)?(?:services\.)?log\.\w+|(?:Range|Type)Error|assert\w*)$/;

/** Returns the texts that a source file gives to be translated. @throws where one is not a literal */
export function findTranslated(file: string, code: string): UserText[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: UserText[] = [];
  const visit = (node: ts.Node): void => {
    if (isTranslation(node)) {
      const text = readLiteral(node.arguments[0]);
      if (text === null)
        throw new Error(`${place(source, node)}: the first argument of t() must be a literal.`);
      found.push({ where: place(source, node), what: 'message', text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the texts for people of a source file that are not translated. */
export function findUntranslated(file: string, code: string): UserText[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const covered = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (isTranslation(node) || isNotShown(node))
      for (const { where, text } of findMessages(file, code, node)) covered.add(`${where} ${text}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findMessages(file, code).filter(({ where, text }) => !covered.has(`${where} ${text}`));
}

function isTranslation(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === TRANSLATE;
}

function isNotShown(node: ts.Node): boolean {
  return (ts.isCallExpression(node) || ts.isNewExpression(node)) && NOT_SHOWN.test(node.expression.getText());
}

/** Returns a literal text or a sum of some; null for one with values in it. */
function readLiteral(node: ts.Node | undefined): string | null {
  if (node === undefined || hasTemplate(node)) return null;
  return textOf(node);
}

function hasTemplate(node: ts.Node): boolean {
  return ts.isTemplateExpression(node) || node.getChildren().some(hasTemplate);
}
