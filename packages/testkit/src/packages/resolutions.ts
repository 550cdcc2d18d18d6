import type { Api, MergeConflict, Resolution } from '@quire/contract'
import { outcomeOf, type Outcome } from './outcome.ts'

type PackageRef = Pick<Parameters<Api['packages']['merge']>[0], 'repo' | 'packageName'>

type Sort = 'ours' | 'theirs' | 'value'

/** The permitted resolutions for each kind of conflict. */
const permitted: { readonly [K in MergeConflict['kind']]: readonly Sort[] } = {
  changed: ['ours', 'theirs', 'value'],
  deleted_in_package: ['ours', 'theirs'],
  deleted_on_main: ['ours', 'theirs'],
  slug_taken: ['theirs', 'value'],
  value_taken: ['theirs', 'value'],
  missing_target: ['theirs', 'value'],
  cycle: ['theirs', 'value'],
  invalid: ['theirs', 'value'],
  referenced: ['theirs'],
}

/** A permitted resolution for every conflict; another `seed` chooses others. */
export function settlementsOf(conflicts: readonly MergeConflict[], seed: number): Resolution[] {
  const scopes = Map.groupBy(conflicts, ({ entity, path }) => `${entity.id} ${path}`)
  return [...scopes.values()].map((here, index) => settlementOf(here, seed + index))
}

/** One resolution for all conflicts at one path. */
function settlementOf(here: readonly MergeConflict[], seed: number): Resolution {
  const [first] = here
  if (!first) throw new TypeError('There is no conflict.')
  const at = { id: first.entity.id, path: first.path }
  const sorts = (['ours', 'theirs', 'value'] as const).filter((sort) =>
    here.every((conflict) => isPermitted(conflict, sort)),
  )
  const sort = sorts[seed % sorts.length]
  return sort === 'ours' || sort === 'theirs' ? { ...at, use: sort } : { ...at, value: valueFor(here, seed) }
}

function isPermitted({ kind, path, theirs }: MergeConflict, sort: Sort): boolean {
  // The published version, a file and a whole entity can only be taken from one side.
  if (['', 'publishedVersion', 'asset'].includes(path) && sort === 'value') return false
  // An entity that the package created has no other side.
  if (sort === 'theirs' && kind !== 'changed' && path !== '' && theirs === null) return false
  return permitted[kind].includes(sort)
}

type Value = Extract<Resolution, { value: unknown }>['value']

function valueFor(here: readonly MergeConflict[], seed: number): Value {
  const [first] = here
  if (!first) return null
  if (first.path === 'categories') return []
  if (first.kind === 'missing_target' || first.kind === 'cycle') return null
  if (here.some(({ kind, path }) => kind === 'value_taken' && path === 'name'))
    return `Settled ${first.entity.id.slice(-6)} ${seed}`
  if (first.path === 'slug') return `${first.entity.id.slice(-6).toLowerCase()}-${seed}`
  const values = [first.base, first.ours, first.theirs]
  // The values of conflicts are JSON.
  return (values[seed % values.length] ?? first.ours ?? null) as Value
}

// Unnecessary resolutions are removed one by one. More attempts than this mean that it does not
// terminate.
const mostTries = 50

/**
 * Merges a package and resolves all reported conflicts. Returns the number of rounds with
 * conflicts. Also ends when main changed so that the package's content can no longer be published,
 * which is not a conflict.
 */
export async function resolveAndMerge(api: Api, ref: PackageRef, seed: number): Promise<number> {
  let resolutions: readonly Resolution[] = []
  let rounds = 0
  for (let tries = 0; tries < mostTries; tries++) {
    const outcome = await outcomeOf(api.packages.merge({ ...ref, resolutions: [...resolutions] }))
    if (outcome.code === 'done' || outcome.code === 'not_publishable') return rounds
    if (outcome.code === 'merge_conflict') rounds += 1
    resolutions = furtherResolutions(resolutions, outcome, seed + rounds)
  }
  return Number.POSITIVE_INFINITY
}

/** Adds resolutions for the remaining conflicts, or removes one that resolves nothing. */
function furtherResolutions(
  resolutions: readonly Resolution[],
  { code, error }: Outcome<unknown>,
  seed: number,
): readonly Resolution[] {
  const needless = error?.issues?.find(({ message }) => message.startsWith('resolves nothing'))
  if (needless) return resolutions.toSpliced(Number(needless.path.split('.')[1]), 1)
  if (code !== 'merge_conflict') throw new Error(`The merge ended with ${code}: ${JSON.stringify(error)}`)
  // The contract defines the type of the error's conflicts.
  const more = settlementsOf((error?.conflicts ?? []) as MergeConflict[], seed)
  const isReplaced = (old: Resolution) => more.some(({ id, path }) => id === old.id && path === old.path)
  return [...resolutions.filter((old) => !isReplaced(old)), ...more]
}
