import { isIP } from 'node:net';
import type { MetricsAddress } from '../../app/metrics/metricsServer';
import { Problem } from '../../domain/problem';
import { isLoopback } from '../../platform/net/addresses';

const LARGEST_PORT = 65_535;

/**
 * Parses where to serve metrics: `127.0.0.1:9090`, `[::1]:9090` or a port of 127.0.0.1; port 0 is a free one. With
 * `isPublic`, also an address that other machines reach.
 * @throws Problem `usage`
 */
export function parseMetricsAddress(text: string, isPublic: boolean): MetricsAddress {
  const [, bracketed, plain, digits = ''] = ADDRESS.exec(text) ?? [];
  const host = nameHost(bracketed ?? plain ?? 'localhost');
  const port = Number(digits);
  if (digits === '' || port > LARGEST_PORT || isIP(host) === 0) {
    throw new Problem(
      'usage',
      `"${text}" is not an address to serve metrics at: give an IP address and a port, such as 127.0.0.1:9090.`,
    );
  }
  if (isPublic || isLoopback(host)) return { host, port };
  throw new Problem(
    'usage',
    `Other machines reach ${host}, and metrics have no password: give 127.0.0.1:${digits}, or add --metrics-public.`,
  );
}

/** An address with its port; IPv6 in brackets. */
const ADDRESS = /^(?:(?:\[([^\]]+)\]|([^:]+)):)?(\d{1,5})$/;

/** `localhost` is not looked up: its entry may lead elsewhere. */
function nameHost(host: string): string {
  return host.toLowerCase() === 'localhost' ? '127.0.0.1' : host;
}
