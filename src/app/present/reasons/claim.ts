import { nameWorker, type Claim, type Owner } from '../../../domain/queue/view';
import { t } from '../../../platform/text/translate';

/** Names the owner of a claim. */
export function describeOwner(owner: Owner): string {
  return owner.kind === 'person' ? t('you') : t('worker {0}', nameWorker(owner));
}

/** Describes who is running a task. */
export function describeClaim({ id, owner, ownerDied }: Claim): string {
  if (owner.kind === 'person') return t('you have task {0}', id);
  return ownerDied === true
    ? t('{0} died while running {1}; the next worker recovers it first', describeOwner(owner), id)
    : t('{0} is running {1}', describeOwner(owner), id);
}
