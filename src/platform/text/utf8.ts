import { isUtf8 } from 'node:buffer';
import { Problem } from '../../domain/problem';
import { t } from './translate';

/**
 * Returns text that a user wrote, without a byte order mark. `name` starts the message.
 * @throws Problem `usage` if it is not UTF-8: other characters would replace some of it
 */
export function decodeText(name: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\ufeff/, '');
  throw new Problem('usage', t('{0} is not UTF-8 text. Save it as UTF-8.', name));
}
