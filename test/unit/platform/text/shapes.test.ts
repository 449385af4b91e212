import assert from 'node:assert/strict';
import {
  type Check,
  fields,
  isNumber,
  isObject,
  isText,
  listOf,
  orAbsent,
  orNull,
  pairOf,
  recordOf,
} from '../../../../src/platform/text/shapes';

interface Lamp {
  readonly colour: 'red' | 'green';
  readonly watts: number | null;
  readonly name?: string;
}

describe('A shape check', () => {
  const isLamp = fields<Lamp>({ colour: isText, watts: orNull(isNumber), name: orAbsent(isText) });

  it('accepts objects with its fields, with additional ones, and with new words', () => {
    for (const lamp of [
      { colour: 'red', watts: null },
      { colour: 'blue', watts: 4, name: 'desk', age: 3 },
    ])
      assert.ok(isLamp(lamp));
  });

  it('refuses a missing field, a field of another type, and what is no object', () => {
    for (const other of [
      ...[{ watts: 4 }, { colour: 'red', watts: '4' }, { colour: 'red', watts: Infinity }],
      ...[
        { colour: 'red', watts: undefined },
        { colour: 'red', watts: 4, name: null },
      ],
      ...[{ colour: 'red', toString: 4 }, {}],
    ])
      assert.equal(isLamp(other), false);
    for (const other of [[], null, undefined, 'red']) assert.equal(fields({})(other), false);
  });

  it('refuses inherited names', () => {
    const isNamed: Check<string> = (name): name is string => name === 'a';
    assert.ok(recordOf(isNamed, isText)({ a: 'x' }));
    assert.equal(recordOf(isNamed, isText)(JSON.parse('{"a":"x","__proto__":"x"}')), false);
    assert.equal(isObject([]), false);
  });

  it('must match its type: other shapes do not compile', () => {
    const checks: readonly Check<Lamp>[] = [
      // @ts-expect-error a word is no number
      fields<Lamp>({ colour: isNumber }),
      // @ts-expect-error null would be refused
      fields<Lamp>({ watts: isNumber }),
      // @ts-expect-error it may be missing
      fields<Lamp>({ name: isText }),
      // @ts-expect-error it may not be missing
      fields<Lamp>({ colour: orAbsent(isText) }),
      // @ts-expect-error there is no such field
      fields<Lamp>({ color: isText }),
      // @ts-expect-error a list is no field's value
      fields<Lamp>({ colour: listOf(isText) }),
      // @ts-expect-error nor is a pair
      fields<Lamp>({ colour: pairOf(isText, isText) }),
    ];
    assert.equal(checks.length, 7);
  });
});
