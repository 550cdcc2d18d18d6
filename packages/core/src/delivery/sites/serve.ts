import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import { fileAt, manifestAt, nothingThere } from './served-file.ts'

type Serve = Contract['sites']['serve']

/**
 * A page or file of what is published of a site, for everybody where its repository is public.
 * Errors: `unauthorized` for nobody in particular where it is not, whether there is such a site or not; `not_found`.
 */
export async function serveSite(call: Call, { siteSlug, path }: ParsedOf<Serve>): Promise<OutputOf<Serve>> {
  const { records } = call.store
  const served = await records.find('publishedSite', `slug:${siteSlug}`)
  const repository = served && (await records.get('repository', served.repositoryId))
  const isPublic = repository?.public === true
  if (!isPublic && call.identity.kind === 'anonymous') throw new QuireError('unauthorized')
  const maySee = served && (isPublic || mayDo(call.identity.permissions, 'sites.view', { siteId: served.id }))
  if (!maySee) throw new QuireError('not_found', `There is no site "${siteSlug}" that you may see.`)
  const root = `${call.environment.baseUrl}/sites/${siteSlug}`
  const manifest = await manifestAt(call, served.manifest)
  return fileAt(call, manifest, { root, isPublic, path }) ?? nothingThere(call, manifest, { root, isPublic })
}
