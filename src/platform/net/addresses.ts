import { BlockList, isIPv6 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether an IP address is one of this machine that no other machine reaches. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Formats an address for a URL: an IPv6 address in brackets. */
export function formatHost(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
