import type { Api } from '@quire/contract'
import { systemIdentity } from '@quire/core'
import type { Caller } from './principals.ts'
import { commonPackage, type RepositoryName, type Shelf, type Site } from './site.ts'

/** A place to make what one request is about: all of it is new, so that no request meets what another left. */
export interface Targets {
  readonly system: Api
  /** The engine in process as who will send the request, or as the system for nobody. */
  readonly sender: Api
  readonly baseUrl: string
  readonly configId: string
  /** Where new items stand, and a category that they can have. */
  readonly shelf: Shelf
  /** Names the package where the request works on one. */
  readonly branch: { readonly packageName?: string }
  /** What new items are limited to: a role that the caller lacks. */
  readonly limits: Limits
  /** What exists in the repository because of this place: ids, slugs and names that a request may name. */
  readonly made: Set<string>
  /** Those of them that are of items and uploads, which role lists and owners hide. */
  readonly hideable: Set<string>
  /** Resolves once nothing is left to be done that is due. */
  settled(): Promise<void>
  /** The engine in process as somebody else, new each time. */
  another(): Api
  /** A text that nothing else has. */
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

/** A new place for one request of a principal. */
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
    word,
  }
}

function limitsFor({ name }: Caller, role: string): Limits {
  if (name === 'itemLimited') return { readPerm: [role], writePerm: [role], deletePerm: [role] }
  return name === 'writeLimited' ? { writePerm: [role], deletePerm: [role] } : {}
}
