import { BlockList, isIPv6 } from 'node:net';
import type { Network } from '../../domain/settings/networks';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Networks that are not public, of the registries of IANA for special purposes: this machine, private networks, those of
 * providers, documentation, tests, many receivers, the future. IPv6 addresses with an IPv4 address in them count too,
 * since a gateway may lead to that.
 */
const NOT_PUBLIC: readonly (readonly [address: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
];

const PRIVATE = new BlockList();
for (const [address, prefix] of NOT_PUBLIC) PRIVATE.addSubnet(address, prefix, familyOf(address));

function familyOf(address: string): Network['family'] {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** Whether an IP address is one of this machine that no other machine reaches. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, familyOf(address));
}

/** Whether an IP address is not one of the public internet. An IPv4 address written as IPv6 counts as what it is. */
export function isPrivate(address: string): boolean {
  return PRIVATE.check(address, familyOf(address));
}

/** Whether an IP address is in one of these networks. */
export function isIn(address: string, networks: readonly Network[]): boolean {
  const list = new BlockList();
  for (const network of networks) list.addSubnet(network.address, network.prefix, network.family);
  return list.check(address, familyOf(address));
}

/** Formats an address for a URL: an IPv6 address in brackets. */
export function formatHost(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
