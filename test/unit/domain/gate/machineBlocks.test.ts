import assert from 'node:assert/strict';
import { gateOfMachine, withMachineGate } from '../../../../src/domain/gate/machineBlocks';
import type { GateBlock, GateView } from '../../../../src/domain/gate/gate';
import { HOUR, NOW } from '../metGate';

describe('A gate that machines share', () => {
  const block = (kind: GateBlock['kind'], machine?: string): GateBlock => ({
    kind,
    since: NOW,
    until: null,
    message: kind,
    ...(machine === undefined ? {} : { machine }),
  });
  const gate = (...closures: GateBlock[]): GateView => ({ closures, usage: [] });

  it('is for each machine the blocks of all and its own', () => {
    const shared = gate(block('billing'), block('sign-in', 'here'), block('sign-in', 'there'));
    assert.deepEqual(gateOfMachine(shared, 'here'), gate(block('billing'), block('sign-in', 'here')));
    const own = gate(block('billing'));
    assert.equal(gateOfMachine(own, 'here'), own);
  });

  it('has for one machine what its sign-in, its settings or its network closed, and the rest for all', () => {
    const met = gate(block('sign-in'), block('default-model'), block('offline'), block('overload'));
    const { closures } = withMachineGate(gate(), 'here', met, NOW);
    assert.deepEqual(
      closures.map(({ machine }) => machine),
      ['here', 'here', 'here', undefined],
    );
  });

  it('keeps the blocks of another machine for a week', () => {
    const shared = gate(block('sign-in', 'there'));
    const after = (ms: number): GateView => withMachineGate(shared, 'here', gate(), NOW + ms);
    assert.deepEqual(after(167 * HOUR), shared);
    assert.deepEqual(after(168 * HOUR), gate());
  });
});
