import type { Api } from '@quire/contract'
import { systemIdentity } from '@quire/core'
import type { Caller } from './principals.ts'
import { commonPackage, type RepositoryName, type Shelf, type Site } from './site.ts'

/**
 * Creates the content of one request. Everything is new, so that requests do not affect each other.
 */
export interface Targets {
  readonly system: Api
  /**
   * The engine in process with the identity of the sender; with the system identity for an
   * anonymous one.
   */
  readonly sender: Api
  readonly baseUrl: string
  readonly configId: string
  /** The folder of new items, and a category for them. */
  readonly shelf: Shelf
  /** The package name, if the request works on a package. */
  readonly branch: { readonly packageName?: string }
  /** Role lists for new items, with a role that the caller lacks. */
  readonly limits: Limits
  /** Ids, slugs and names of the created content that a request may name. */
  readonly made: Set<string>
  /** Those of items and uploads, which role lists and owners can hide. */
  readonly hideable: Set<string>
  /** Resolves once no due work is left. */
  settled(): Promise<void>
  /** The engine in process with another identity, new in each call. */
  another(): Api
  /** Creates an agent: an account that changes content in packages alone. */
  createAgent(): Promise<{ readonly id: string; readonly api: Api }>
  /** Returns a unique text. */
  readonly word: (kind: string) => string
}

interface Limits {
  readonly readPerm?: string[]
  readonly writePerm?: string[]
  readonly deletePerm?: string[]
}

export interface TargetsOptions {
  readonly caller: Caller
  readonly repository: RepositoryName
  readonly onPackage: boolean
}

/** The targets for one request of a principal. */
export function targetsFor(site: Site, { caller, repository, onPackage }: TargetsOptions): Targets {
  const { system, baseUrl, quire, word } = site
  return {
    system,
    sender: caller.principal ? quire.as(caller.principal) : system,
    baseUrl,
    configId: site.repositories[repository],
    shelf: site.shelves[repository],
    branch: onPackage ? { packageName: commonPackage } : {},
    limits: limitsFor(caller, site.strangeRole),
    made: new Set(),
    hideable: new Set(),
    settled: () => quire.settled(),
    another: () => quire.as(systemIdentity(word('another'))),
    createAgent: async () => {
      const role = await system.roles.create({ name: word('Agents'), bundles: ['bundle.contributor'] })
      const account = { name: word('Agent'), roles: [role.id], branchOnly: true }
      const { id } = await system.serviceAccounts.create(account)
      return { id, api: quire.as({ kind: 'service', id }) }
    },
    word,
  }
}

function limitsFor({ name }: Caller, role: string): Limits {
  if (name === 'itemLimited') return { readPerm: [role], writePerm: [role], deletePerm: [role] }
  return name === 'writeLimited' ? { writePerm: [role], deletePerm: [role] } : {}
}
