import {
  limits,
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type ShareLink,
} from '@quire/contract'
import { findAccount } from '../../../engine/access/records.ts'
import type { Call } from '../../../engine/call.ts'
import { invalid } from '../../../engine/check-input.ts'
import { pageOf } from '../../../engine/paging.ts'
import type { Stored } from '../../../ports/index.ts'
import { openPackage, packageEvent, withPackage, type PackageScope } from '../record.ts'
import { deleteShareLinks, linksOf, type ShareLinkRecord } from './record.ts'

type Group = Contract['packages']

/** Lists the links of a package that have not expired. Errors: `not_found`, `forbidden`. */
export async function listShareLinks(
  call: Call,
  { repo, packageName, ...input }: ParsedOf<Group['shareLinks']>,
): Promise<OutputOf<Group['shareLinks']>> {
  const scope = await openPackage(call, { repo, packageName }, 'packages.update')
  const links = linksOf(await call.store.records.list('shareLink'), scope.package.id)
  const page = pageOf(
    links.filter(({ expiresAt }) => expiresAt > call.now),
    input,
  )
  return { ...page, items: page.items.map((link) => serializeLink(scope, link)) }
}

/**
 * Creates a link whose address shows the package to whoever has it. Only a keyed hash of the token in
 * the address is stored. Errors: `not_found`, `invalid` for a time that has passed or is too far away;
 * `forbidden`, also for agents; `invalid_state` when the package has too many links.
 */
export async function addShareLink(
  call: Call,
  { expiresAt = call.now + limits.shareLinkLifetime, ...ref }: ParsedOf<Group['addShareLink']>,
): Promise<OutputOf<Group['addShareLink']>> {
  const { ids, secrets, baseUrl } = call.environment
  requireFuture(call.now, expiresAt)
  const token = ids.secret(32)
  const hash = await secrets.hmac(token)
  return withPackage(call, ref, {
    key: 'packages.update',
    async work(call, scope) {
      const { repository, package: found } = scope
      if (found.state === 'merged')
        throw new QuireError('invalid_state', 'The package is merged: there is nothing to show any more.')
      await deleteShareLinks(call.store, found.id, call.now)
      const links = linksOf(await call.store.records.list('shareLink'), found.id)
      if (links.length >= limits.shareLinks)
        throw new QuireError(
          'invalid_state',
          `The package has ${limits.shareLinks} share links, which is the most: revoke one first.`,
        )
      const link = await call.store.records.put(
        'shareLink',
        {
          id: ids.next('SHARE'),
          repositoryId: repository.id,
          packageId: found.id,
          hash,
          maker: await makerOf(call),
          createdDate: call.now,
          createdByUser: call.identity.ref,
          expiresAt,
        },
        0,
      )
      const details = { link: link.id, expiresAt }
      await call.record(packageEvent(call, 'PACKAGE_SHARED', { about: found, details }))
      return { ...serializeLink(scope, link), url: `${baseUrl}/shared/${token}/` }
    },
  })
}

/** Revokes a link. Errors: `not_found`; `forbidden`, also for agents. */
export function removeShareLink(
  call: Call,
  { id, ...ref }: ParsedOf<Group['removeShareLink']>,
): Promise<OutputOf<Group['removeShareLink']>> {
  return withPackage(call, ref, {
    key: 'packages.update',
    async work(call, scope) {
      requirePerson(call)
      const link = await call.store.records.get('shareLink', id)
      if (link?.packageId !== scope.package.id)
        throw new QuireError('not_found', `The package has no share link "${id}".`)
      await call.store.records.delete('shareLink', id, link.revision)
      const details = { link: id }
      await call.record(packageEvent(call, 'PACKAGE_SHARE_REVOKED', { about: scope.package, details }))
      return undefined
    },
  })
}

/** Errors: `invalid`. */
function requireFuture(now: number, expiresAt: number): void {
  if (expiresAt > now && expiresAt <= now + limits.shareLinkLifetimeMost) return
  const days = limits.shareLinkLifetimeMost / 86_400_000
  throw invalid([{ path: 'expiresAt', message: `must be in the future, in ${days} days at most` }])
}

/** Errors: `forbidden` for agents, which do not decide what people outside see. */
function requirePerson({ identity: { isAgent } }: Call): void {
  if (isAgent)
    throw new QuireError('forbidden', 'Agents cannot create or revoke share links: ask a person to do it.')
}

/** Errors: `forbidden` for agents. */
async function makerOf(call: Call): Promise<ShareLinkRecord['maker']> {
  requirePerson(call)
  const { kind, id, name, owner } = call.identity
  if (kind === 'system') return { kind, id: name, owner }
  if (kind === 'anonymous') throw new QuireError('unauthorized')
  const account = await findAccount(call.store.records, { kind, id })
  return { kind, id, owner, ...(account && { epoch: account.epoch }) }
}

function serializeLink(
  { package: { name: packageName } }: PackageScope,
  { id, repositoryId, createdDate, createdByUser, expiresAt }: Stored<'shareLink'>,
): ShareLink {
  return { id, repositoryId, packageName, createdDate, createdByUser, expiresAt }
}
