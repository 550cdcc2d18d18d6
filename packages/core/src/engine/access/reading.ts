import { QuireError, type Contract, type PermissionKey } from '@quire/contract'
import { parseRightsEntry, rightsEntryText } from './grants.ts'
import type { HeldKeys, Permissions } from './permissions.ts'

/** The keys that a reading token gives, as far as its account holds them. */
const readingKeys: ReadonlySet<PermissionKey> = new Set<PermissionKey>([
  'items.read',
  'assets.read',
  'assets.download',
  'folders.read',
  'taxonomies.read',
  'queries.run',
  'graphql.query',
  // Needed to read on the branch of a package.
  'packages.view',
])

/** The groups of operations for a reading token: content, and nothing about people or the service. */
const readingGroups: ReadonlySet<string> = new Set<keyof Contract>([
  'items',
  'assets',
  'renditions',
  'published',
  'folders',
  'taxonomies',
  'categories',
  'references',
  'queries',
  'graphql',
])

/** What is left of permissions with a reading token for one repository. */
export function readingOnly(permissions: Permissions, repositoryId: string): Permissions {
  const { whole, inPackages, ...held } = withKeysOnly(permissions, readingKeys)
  const isWhole = whole === 'all' || whole.has(repositoryId)
  return {
    ...held,
    ...heldWithin(held, repositoryId),
    inPackages: heldWithin(inPackages, repositoryId),
    whole: new Set(isWhole ? [repositoryId] : []),
  }
}

/** Keys in one repository: those that are held everywhere count there, others not at all. */
function heldWithin({ global, repos }: HeldKeys, repositoryId: string): HeldKeys {
  const everywhere = global === 'all' ? readingKeys : global
  const entry = rightsEntryText({ repositoryId })
  const within = [...repos].filter(([text]) => parseRightsEntry(text)?.repositoryId === repositoryId)
  const keys = new Set([...everywhere, ...(repos.get(entry) ?? [])])
  return {
    global: new Set(),
    repos: new Map([...within, [entry, keys]]),
    sites: new Map(),
    inLocales: new Map(),
  }
}

/** Refuses what a reading token is not for. Errors: `forbidden`. */
export function requireForReading({ readsIn }: { readonly readsIn: string | null }, group: string): void {
  if (readsIn === null || readingGroups.has(group)) return
  throw new QuireError('forbidden', 'A reading token reads content, and nothing else.')
}

/** What is left of permissions when only certain keys count. Role lists let the same caller through. */
export function withKeysOnly(permissions: Permissions, only: ReadonlySet<PermissionKey>): Permissions {
  return {
    ...permissions,
    ...heldAmong(permissions, only),
    inPackages: heldAmong(permissions.inPackages, only),
  }
}

function heldAmong(
  { global, repos, sites, inLocales }: HeldKeys,
  only: ReadonlySet<PermissionKey>,
): HeldKeys {
  const both = (keys: ReadonlySet<PermissionKey>) => new Set([...keys].filter((key) => only.has(key)))
  const among = (held: HeldKeys['repos']) => new Map([...held].map(([name, keys]) => [name, both(keys)]))
  return {
    global: global === 'all' ? only : both(global),
    repos: among(repos),
    sites: among(sites),
    inLocales: new Map([...inLocales].map(([locale, keys]) => [locale, among(keys)])),
  }
}
