import { builtInBundles, isPermissionKey, QuireError, type Bundle } from '@quire/contract'
import type { Grant } from '../../access/grants.ts'
import { Presented } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import { recordTag, requireRecord } from '../../call/records.ts'
import type { BundleRecord, RecordReader, Stored } from '../../ports/index.ts'

/** The built-in bundles as they are shown. */
export const builtIns: readonly Bundle[] = Object.entries(builtInBundles).map(([id, permissions]) => {
  const [, word = ''] = id.split('.')
  const name = `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
  return { id, name, description: 'Built in', permissions: [...permissions], isBuiltIn: true }
})

/** A bundle that was made, as it is shown. */
export function showBundle({ id, name, description, permissions }: BundleRecord): Bundle {
  return { id, name, description, permissions: [...permissions], isBuiltIn: false }
}

/** The same with its ETag. */
export function presentBundle(stored: Stored<'bundle'>): Presented<Bundle> {
  return new Presented(JSON.stringify(showBundle(stored)), recordTag(stored))
}

/** A bundle that can be changed. Errors: `not_found`, `precondition_failed`, `invalid_state` for a built-in one. */
export async function findBundle(call: Call, records: RecordReader, id: string): Promise<Stored<'bundle'>> {
  if (Object.hasOwn(builtInBundles, id))
    throw new QuireError('invalid_state', `"${id}" is built in: make a bundle of your own.`)
  return requireRecord<'bundle'>(call, await records.get('bundle', id), `bundle "${id}"`)
}

/** What a bundle gives to whoever has it. */
export function grantsOfBundle({ id, permissions }: Pick<Bundle, 'id' | 'permissions'>): readonly Grant[] {
  return permissions.filter(isPermissionKey).map((key) => {
    return { key, scope: { kind: 'global' }, roleId: null, via: [], source: id }
  })
}
