import type { Api } from '@quire/contract'
import fc from 'fast-check'

/** The locales of the repositories. Roles also name one that they do not have. */
export const codes = ['en', 'de', 'fr'] as const

type LimitedKey = 'items.update' | 'items.publish'

/** An entry of the rights of a role in the repository. */
interface Entry {
  readonly type: string | null
  readonly locale: string | null
  readonly keys: readonly LimitedKey[]
}

interface RandomRole {
  readonly entries: readonly Entry[]
  readonly isForPackages: boolean
}

/** The roles of a caller. */
export type Roles = readonly RandomRole[]

const anEntry: fc.Arbitrary<Entry> = fc.record({
  type: fc.constantFrom(null, null, 'story', 'story', 'note'),
  locale: fc.constantFrom('de', 'de', 'fr', 'en', 'it', null),
  keys: fc.subarray<LimitedKey>(['items.update', 'items.publish'], { minLength: 1 }),
})

export const randomRoles: fc.Arbitrary<Roles> = fc.array(
  fc.record({
    entries: fc.array(anEntry, { minLength: 1, maxLength: 2 }),
    isForPackages: fc.oneof(
      { weight: 4, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  }),
  { minLength: 1, maxLength: 3 },
)

/** Creates the roles. */
export async function createRoles(
  { api, repositoryId }: { api: Api; repositoryId: string },
  roles: Roles,
): Promise<string[]> {
  const ids: string[] = []
  for (const { entries, isForPackages: branchOnly } of roles) {
    const repos: Record<string, LimitedKey[]> = {}
    for (const { type, locale, keys } of entries) {
      const text = `${repositoryId}${type === null ? '' : `:${type}`}${locale === null ? '' : `@${locale}`}`
      repos[text] = [...(repos[text] ?? []), ...keys]
    }
    const name = `Role ${crypto.randomUUID()}`
    const { id } = await api.roles.create({ name, permissions: { repos }, branchOnly })
    ids.push(id)
  }
  return ids
}

/** The locales of the repository in which the roles give a key on stories; `all`: without a limit. */
export function localesGiven(roles: Roles, key: LimitedKey, inPackage: boolean): 'all' | ReadonlySet<string> {
  const entries = roles
    .filter(({ isForPackages }) => inPackage || !isForPackages)
    .flatMap((role) => role.entries)
    .filter((entry) => entry.keys.includes(key) && (entry.type === null || entry.type === 'story'))
  if (entries.some(({ locale }) => locale === null)) return 'all'
  const known: readonly string[] = codes
  return new Set(entries.flatMap(({ locale }) => (locale !== null && known.includes(locale) ? [locale] : [])))
}

/** The paths of all values in some JSON, each with its value. Empty objects have none. */
function leavesOf(json: unknown, path = ''): Map<string, unknown> {
  if (Array.isArray(json) && json.length === 0) return new Map([[path, '[]']])
  if (typeof json !== 'object' || json === null) return new Map(json === null ? [] : [[path, json]])
  const members = Object.entries(json).flatMap(([name, value]) => [
    ...leavesOf(value, path === '' ? name : `${path}.${name}`),
  ])
  return new Map(members)
}

/** The fields with a value for each locale, by the paths of their values. */
const localized = /^fields\.(?:title|tags|seo\.heading|blocks\.\d+\.text)\.(?<code>en|de|fr)(?:\.|$)/

/** The locales in which values differ; null if anything differs that all locales share. */
export function localesChanged(before: object, after: object): ReadonlySet<string> | null {
  const [old, next] = [leavesOf(before), leavesOf(after)]
  const paths = [...new Set([...old.keys(), ...next.keys()])].filter(
    (path) => old.get(path) !== next.get(path),
  )
  const changed = paths.map((path) => localized.exec(path)?.groups?.['code'])
  return changed.includes(undefined) ? null : new Set(changed.flatMap((code) => code ?? []))
}

/** Whether the locales given contain others; null: everything. */
export function includesAll(given: 'all' | ReadonlySet<string>, others: ReadonlySet<string> | null): boolean {
  if (given === 'all') return true
  return given.size > 0 && others !== null && [...others].every((one) => given.has(one))
}
