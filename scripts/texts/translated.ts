import ts from 'typescript';
import { findMessages, isForPeople, place, textOf, type UserText } from './collect';

/** The name of the function that translates: src/platform/text/translate.ts. */
const TRANSLATE = 't';

/** Calls whose texts stay English: the log of the extension, faults of the program, and codes that look like words. */
const NOT_SHOWN =
  /^(?:(?:\w+\.)*(?:log\.\w+|warn)|(?:Range|Type)Error|assert\w*|refuseInsideAttempt|showFailure)$/;

/** Files of styles and scripts for pages: their texts are code. */
const CODE = /(?:Style|Script)\.ts$/;

/** Text that is translated. */
export interface TranslatedText extends UserText {
  /** It is translated when its module loads, before it is known how the user calls the program. */
  readonly isMadeAtLoad: boolean;
}

/** Returns the texts that a source file gives to be translated. @throws where one is not a literal */
export function findTranslated(file: string, code: string): TranslatedText[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: TranslatedText[] = [];
  const visit = (node: ts.Node): void => {
    if (isTranslation(node)) {
      const text = readLiteral(node.arguments[0]);
      if (text === null)
        throw new Error(`${place(source, node)}: the first argument of t() must be a literal.`);
      const isMadeAtLoad = ts.findAncestor(node, ts.isFunctionLike) === undefined;
      found.push({ where: place(source, node), what: 'message', text, isMadeAtLoad });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the texts for people of a source file that are not translated. Markup is none, the words in it are. */
export function findUntranslated(file: string, code: string): UserText[] {
  if (CODE.test(file)) return [];
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const covered = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (isTranslation(node) || isNotShown(node))
      for (const { where, text } of findMessages(file, code, node)) covered.add(`${where} ${text}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findMessages(file, code).filter(
    ({ where, text }) => !covered.has(`${where} ${text}`) && isForPeople(withoutMarkup(text)),
  );
}

/** Returns a text without its values, tags and entities. */
function withoutMarkup(text: string): string {
  let depth = 0;
  let words = '';
  for (const character of text) {
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (depth <= 0) words += character;
  }
  return words
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/&\w+;/g, '')
    .trim();
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
