/** A variable of a module, a map or a set that is filled as time passes, or an object that is. */
const KEPT =
  /^(?:export )?(?:let (?<variable>\w+)\b|const (?<filled>\w+)\b.* = new (?:Map|Set)\b.*\(\);$|const (?<object>\w+) = \{\};$)/gm;

/**
 * Returns the source of a module, with code that makes what it keeps as it was when it was loaded. What is kept in another
 * form would make the second history of a seed differ from the first, which a test plays.
 */
export function withResets(source: string): string {
  const resets = [...source.matchAll(KEPT)].map(({ groups }) => {
    const { variable, filled = '', object = '' } = groups ?? {};
    if (variable !== undefined)
      return `{ const first = ${variable}; onReset(() => { ${variable} = first; }); }`;
    if (filled !== '') return `onReset(() => ${filled}.clear());`;
    return `onReset(() => { for (const key of Object.keys(${object})) delete ${object}[key]; });`;
  });
  return [source, ...resets].join('\n');
}
