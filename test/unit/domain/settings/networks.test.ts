import assert from 'node:assert/strict';
import { readNetworks } from '../../../../src/domain/settings/networks';

const isRead = (text: string): boolean => 'value' in readNetworks([text]);

describe('Addresses that web hooks may go to', () => {
  it('are addresses and networks of both kinds', () => {
    for (const text of ['127.0.0.1', '192.168.1.0/24', '::1', 'fd00::/8']) assert.ok(isRead(text), text);
  });

  it('are refused in a form that is no address everywhere', () => {
    for (const text of ['192.168.001.010', '10.0.0', '10.0.0.256', '1.2.3.4/33', 'fd00::/129', 'example.com'])
      assert.ok(!isRead(text), text);
  });
});
