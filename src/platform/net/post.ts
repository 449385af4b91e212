import { lookup as lookUp } from 'node:dns/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { CallbackFailure } from '../../domain/queue/callbacks';
import type { Network } from '../../domain/settings/networks';
import type { Clock } from '../clock';
import { isIn, isPrivate } from './addresses';

/** Returns the IP addresses of a host. Rejects with an error of Node. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Request to post. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Rules and services of a request. */
export interface PostRules {
  /** Private networks that it may go to, also without encryption. */
  readonly allow: readonly Network[];
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Tests pass their own; absent: the system's. */
  readonly lookup?: Lookup;
  /** Certificates to trust besides the system's, as PEM; tests pass their own. */
  readonly ca?: string;
}

/** The connection must not be made. */
class Refused extends Error {
  constructor(readonly failure: CallbackFailure) {
    super(failure.kind);
  }
}

/**
 * Posts a text once. Returns null if the server answered with success, else why not. The host is looked up once, and the
 * connection goes to one of the addresses that were found and checked. No redirect is followed.
 */
export async function post(request: Post, rules: PostRules): Promise<CallbackFailure | null> {
  const over = new AbortController();
  const timedOut = rules.clock
    .sleep(rules.timeoutMs, over.signal)
    .then((): CallbackFailure => ({ kind: 'timeout' }));
  try {
    return await Promise.race([send(request, rules, over.signal), timedOut]);
  } finally {
    over.abort();
  }
}

async function send(request: Post, rules: PostRules, signal: AbortSignal): Promise<CallbackFailure | null> {
  try {
    const url = new URL(request.url);
    const addresses = await findAddresses(url, rules);
    const status = await sendTo(url, addresses, request, { signal, ...rules });
    if (status >= 200 && status < 300) return null;
    return { kind: status >= 300 && status < 400 ? 'redirect' : 'status', status };
  } catch (error) {
    if (error instanceof Refused) return error.failure;
    return {
      kind: 'connection',
      code: error instanceof Error && 'code' in error ? String(error.code) : 'unknown',
    };
  }
}

/**
 * Returns why a request to this URL is refused; null: it may be sent, or only a lookup of the host can tell. Uses no
 * network.
 */
export function foreseeRefusal(text: string, allow: readonly Network[]): CallbackFailure | null {
  const url = new URL(text);
  const host = hostIn(url);
  try {
    if (isIP(host) !== 0) chooseAddresses(url, [host], allow);
    // No address is in an empty list, whatever the host's are.
    else if (url.protocol === 'http:' && allow.length === 0) return { kind: 'not-encrypted' };
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.failure;
    throw error;
  }
}

/** Returns the addresses of the host that the request may go to, at least one. @throws Refused */
async function findAddresses(url: URL, { allow, lookup = lookUpAll }: PostRules): Promise<readonly string[]> {
  const host = hostIn(url);
  return chooseAddresses(url, isIP(host) === 0 ? await lookup(host) : [host], allow);
}

const hostIn = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Returns those of the host's addresses that the request may go to. @throws Refused if there is none */
function chooseAddresses(url: URL, found: readonly string[], allow: readonly Network[]): readonly string[] {
  const isAllowed = (address: string): boolean => isIn(address, allow);
  const reachable = found.filter((address) => !isPrivate(address) || isAllowed(address));
  const [first = ''] = found;
  if (reachable.length === 0) throw new Refused({ kind: 'private', address: first });
  const addresses = url.protocol === 'https:' ? reachable : reachable.filter(isAllowed);
  if (addresses.length === 0) throw new Refused({ kind: 'not-encrypted' });
  return addresses;
}

async function lookUpAll(host: string): Promise<readonly string[]> {
  return (await lookUp(host, { all: true })).map(({ address }) => address);
}

/** Sends the request to one of these addresses. Returns the status of the answer. */
function sendTo(
  url: URL,
  addresses: readonly string[],
  { headers, body }: Post,
  { signal, ca }: { readonly signal: AbortSignal; readonly ca?: string },
): Promise<number> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const length = String(Buffer.byteLength(body));
    const sending = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': length },
        // A connection that was kept may lead to an address that is allowed no more.
        agent: false,
        signal,
        lookup: answerWith(addresses),
        ...(ca === undefined ? {} : { ca }),
      },
      (answer) => {
        resolve(answer.statusCode ?? 0);
        // Its text is not needed.
        answer.destroy();
      },
    );
    sending.on('error', reject);
    sending.end(body);
  });
}

/** Returns a lookup for Node that answers with these addresses, whatever the name is by now. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, done) => {
    const [first] = found;
    if (all === true) done(null, found);
    else done(null, first?.address ?? '', first?.family);
  };
}
