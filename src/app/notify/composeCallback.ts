import { createHmac } from 'node:crypto';
import type { Callback } from '../../domain/queue/callbacks';
import type { Settings } from '../../domain/settings/settings';
import type { EpochMs } from '../../domain/time/epoch';
import type { Post } from '../../platform/net/post';
import { callbackAsJson, describeCallback } from '../present/notices/callbackTexts';

/** Settings of callbacks. */
export type CallbackSettings = Pick<
  Settings,
  'callbackUrl' | 'callbackTemplate' | 'callbackSecret' | 'callbackAllow'
>;

/** Text of a request, and what the template says about it. */
interface Content {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Prefix of a secret in base64, by Standard Webhooks. */
const BASE64 = 'whsec_';

/** Returns the request for a callback to this address, sent at `now`. `result` is Claude's answer, if it is here. */
export function composeCallback(
  callback: Callback,
  { callbackTemplate, callbackSecret }: CallbackSettings,
  { url, result, now }: { readonly url: string; readonly result: string | null; readonly now: EpochMs },
): Post {
  const template = callback.target === 'queue' ? callbackTemplate : 'json';
  const { body, headers } = COMPOSE[template](callback, result);
  const id = callback.attemptId;
  const timestamp = String(Math.floor(now / 1000));
  return {
    url,
    body,
    headers: {
      'user-agent': 'claude-queue',
      ...headers,
      'x-task-id': String(callback.attempt.id),
      'idempotency-key': id,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      ...(callbackSecret === ''
        ? {}
        : { 'webhook-signature': `v1,${sign([id, timestamp, body].join('.'), callbackSecret)}` }),
    },
  };
}

const COMPOSE: Readonly<
  Record<Settings['callbackTemplate'], (callback: Callback, result: string | null) => Content>
> = {
  json: (callback, result) => ({
    body: JSON.stringify(callbackAsJson(callback, result)),
    headers: { 'content-type': 'application/json' },
  }),
  ntfy: (callback) => {
    const { title, message } = describeCallback(callback);
    const needsUser = callback.status === 'failed' || callback.status === 'review';
    return {
      body: message === '' ? title : message,
      headers: {
        'content-type': 'text/plain',
        title: encodeHeader(title),
        priority: needsUser ? 'high' : 'default',
      },
    };
  },
  slack: (callback) => {
    const { title, message } = describeCallback(callback);
    const text = [`*${escapeSlack(title)}*`, ...(message === '' ? [] : [escapeSlack(message)])].join('\n');
    return { body: JSON.stringify({ text }), headers: { 'content-type': 'application/json' } };
  },
};

/** Encodes a header's text as RFC 2047 says, which ntfy reads. */
function encodeHeader(text: string): string {
  return /^[ -~]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

/** Slack gives these three a meaning. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function sign(text: string, secret: string): string {
  const key = secret.startsWith(BASE64) ? Buffer.from(secret.slice(BASE64.length), 'base64') : secret;
  return createHmac('sha256', key).update(text).digest('base64');
}
