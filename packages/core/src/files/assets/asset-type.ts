import type { ContentType } from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { fileProblem, type Asset } from '../../content/items/asset.ts'
import type { Scope } from '../../engine/scope.ts'
import { typeNamed } from '../../content/types/find.ts'

/**
 * The content type of a new asset: the one that is named, or the only one here that takes such a file and that the caller may upload.
 * Errors: `invalid` for a type that takes none or not this one, and when none or several could be meant.
 */
export async function assetTypeFor(
  call: Call,
  { scope, name, asset }: { scope: Scope; name: string | undefined; asset: Asset },
): Promise<ContentType> {
  if (name !== undefined) {
    const type = await typeNamed(call, name)
    requireFitting(type, asset)
    return type
  }
  const fitting = (await assetTypesOf(call, scope)).filter((type) => problemOf(type, asset) === null)
  const [only, ...more] = fitting
  if (only && more.length === 0) return only
  const names = fitting.map((type) => type.name).join(', ')
  const message = only
    ? `is required: ${names} take such a file`
    : `is required: no content type here takes ${asset.mimeType}`
  throw invalid([{ path: 'type', message }])
}

/** The content types of which the caller may make assets there. */
export async function assetTypesOf(
  call: Call,
  { repository, branch }: Scope,
): Promise<readonly ContentType[]> {
  const { allowedTypes } = repository.settings
  const types = await call.store.records.list('type')
  return types.filter(
    ({ name, settings }) =>
      settings.isAsset &&
      (allowedTypes.length === 0 || allowedTypes.includes(name)) &&
      mayDo(call.identity.permissions, 'assets.upload', { ...branch, type: name }),
  )
}

/** Errors: `invalid` when the type takes no file, or not this one. */
export function requireFitting(type: ContentType, asset: Asset): void {
  const message = problemOf(type, asset)
  if (message !== null) throw invalid([{ path: 'file', message }])
}

function problemOf({ name, settings }: ContentType, asset: Asset): string | null {
  if (!settings.isAsset) return `cannot be kept: the content type "${name}" takes no file`
  // Types that were kept before these settings came have none of them.
  const { mimeTypes = [], maxBytes } = settings as Partial<ContentType['settings']>
  const problem = fileProblem(asset, { mimeTypes, maxBytes })
  return problem && `${problem}: so says the content type "${name}"`
}
