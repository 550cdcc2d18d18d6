import {
  hasPreviewName,
  limits,
  previewAddress,
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
} from '@quire/contract'
import { findAccount } from '../../engine/access/records.ts'
import type { Call } from '../../engine/call.ts'
import { signReadingToken } from '../../people/auth/issue.ts'
import type { ItemTarget } from './find.ts'
import { sentItems } from './serialize.ts'

type Input = ParsedOf<Contract['items']['preview']>

/**
 * The address at which the front end of the repository shows an item, with a new reading token if it
 * has one in it. Errors: `invalid_state` if the repository names no front end; `forbidden` for agents
 * and with a reading token, as which it would never end.
 */
export async function previewItem(
  call: Call,
  { packageName = '', locale }: Input,
  { scope: { branch, repository }, item: head }: ItemTarget,
): Promise<OutputOf<Contract['items']['preview']>> {
  const { previewUrl: template, locales } = repository.settings
  if (template === undefined)
    throw new QuireError(
      'invalid_state',
      `The repository "${repository.name}" has no address for previews: set settings.previewUrl.`,
    )
  const hasToken = hasPreviewName(template, 'token')
  const { token, expiresAt } = hasToken ? await readingToken(call, repository.id) : noToken
  const [item] = await sentItems(call, branch, [head])
  const { slug, type } = item ?? { slug: '', type: '' }
  const names = { slug, type, id: head.id, package: packageName, locale: locale ?? locales?.default ?? '' }
  return { url: previewAddress(template, { ...names, token }), expiresAt }
}

const noToken = { token: '', expiresAt: null }

/**
 * A token with which its holder may read in a repository what the caller may read, for an hour or until
 * the caller's own token or session ends. Errors: `forbidden`, `invalid_state`.
 */
async function readingToken(
  call: Call,
  repositoryId: string,
): Promise<{ readonly token: string; readonly expiresAt: number }> {
  const { identity, principal, origin } = call
  if (identity.isAgent || origin.isAgent === true || identity.readsIn !== null)
    throw new QuireError(
      'forbidden',
      'Agents and reading tokens get no token for a preview: ask a person to open it.',
    )
  if (principal.kind !== 'user' && principal.kind !== 'service')
    throw new QuireError('invalid_state', 'Only users and service accounts have reading tokens.')
  const account = await findAccount(call.store.records, principal)
  if (!account) throw new QuireError('unauthorized')
  const ends = call.now + limits.tokenLifetime * 1000
  const expiresAt = Math.min(ends, principal.expires ?? ends, account.expiresAt ?? ends)
  const { kind, id, session } = principal
  const reader = { kind, id, ...(session !== undefined && { session }) }
  const content = { reader, readsIn: repositoryId, epoch: account.epoch, expires: expiresAt }
  return { token: await signReadingToken(call, content), expiresAt }
}
