import { endpoints, type Contract, type Endpoint } from '@quire/contract'
import { assets, original, renditionPresets, renditions, uploads, uploadsOfAnother } from './inputs/assets.ts'
import type { InputMakers } from './inputs/input-makers.ts'
import { items } from './inputs/items.ts'
import { auth, repositories, types, user } from './inputs/others.ts'
import { autoPackage, autoPackageRules, packages } from './inputs/packages.ts'
import { published } from './inputs/published.ts'
import { bundles, groups, permissions, roles, security, serviceAccounts, users } from './inputs/security.ts'
import type { RepositoryName } from './site.ts'
import type { Targets } from './targets.ts'

/** A valid input for each operation of the contract: an operation without one does not compile. */
const makers: { readonly [G in keyof Contract]: InputMakers<G> } = {
  auth,
  user,
  items,
  uploads,
  assets,
  renditions,
  renditionPresets,
  published,
  types,
  packages,
  autoPackage,
  autoPackageRules,
  repositories,
  roles,
  bundles,
  permissions,
  users,
  groups,
  serviceAccounts,
  security,
}

type InputMaker = (at: Targets) => unknown

/** A row of the matrix: a route and what is asked of it. */
export interface Row {
  /** `items.get GET /api/items/{configId}/{id}`, with what is particular in brackets. */
  readonly name: string
  /** `items.get`. */
  readonly operation: string
  readonly endpoint: Endpoint
  readonly repository: RepositoryName
  readonly onPackage: boolean
  readonly input: InputMaker
}

interface Particular {
  readonly about: string
  readonly repository: RepositoryName
  readonly input: InputMaker
}

// What a route answers in another way than for its plain input.
const particulars: Readonly<Record<string, Particular>> = {
  'assets.get': { about: 'original', repository: 'magazine', input: original },
  'uploads.get': { about: 'of another', repository: 'magazine', input: uploadsOfAnother.get },
  'uploads.append': { about: 'of another', repository: 'magazine', input: uploadsOfAnother.append },
  'uploads.terminate': { about: 'of another', repository: 'magazine', input: uploadsOfAnother.terminate },
}

/** Every row, in the order of the contract. */
export const rows: readonly Row[] = endpoints.flatMap(({ group, operation, endpoint }) => {
  const name = `${group}.${operation}`
  const input = makerOf(group, operation)
  const plain = { operation: name, endpoint, repository: 'magazine' as const, input }
  const { method, path, packagePath } = endpoint
  const particular = particularOf(name, { endpoint, input })
  return [
    { ...plain, name: `${name} ${method} ${path}`, onPackage: false },
    ...(packagePath === undefined
      ? []
      : [{ ...plain, name: `${name} ${method} ${packagePath}`, onPackage: true }]),
    ...(particular
      ? [{ ...plain, ...particular, name: `${name} ${method} ${path} (${particular.about})`, onPackage: false }]
      : []),
  ]
})

function particularOf(
  name: string,
  { endpoint, input }: { endpoint: Endpoint; input: InputMaker },
): Particular | undefined {
  if (endpoint.permission === 'published')
    return { about: 'in a public repository', repository: 'gazette', input }
  return particulars[name]
}

function makerOf(group: string, operation: string): InputMaker {
  // The documented border between the typed map above and the names of the loop.
  const named = makers as unknown as Readonly<Record<string, Readonly<Record<string, InputMaker>>>>
  const maker = named[group]?.[operation]
  if (!maker) throw new Error(`${group}.${operation} has no input: add it to test/access/inputs`)
  return maker
}
