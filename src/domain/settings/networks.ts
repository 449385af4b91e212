import { readWhole, wrongWhole, type Checked } from './structuredSettings';

/** Addresses of a network: all that share the first `prefix` bits with `address`. */
export interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
}

/** Reads addresses and networks from a setting, such as `127.0.0.1` or `192.168.1.0/24`. */
export function readNetworks(value: unknown): Checked<readonly Network[]> {
  return readWhole(() => {
    if (Array.isArray(value)) return value.map((one: unknown) => readNetwork(one));
    throw wrongWhole('networks', value);
  });
}

function readNetwork(value: unknown): Network {
  const match = typeof value === 'string' ? /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(value) : null;
  const [, address = '', bits] = match ?? [];
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const most = family === 'ipv6' ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  const isAddress = family === 'ipv6' ? URL.canParse(`http://[${address}]`) : isIpv4(address);
  if (!isAddress || prefix > most) throw wrongWhole('network', value);
  return { address, family, prefix };
}

/** A number with a leading zero is none: some programs read it as octal. */
function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => Number(part) <= 255 && String(Number(part)) === part);
}
