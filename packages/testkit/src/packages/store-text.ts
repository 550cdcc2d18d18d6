import { createHash } from 'node:crypto'
import {
  recordKeys,
  type Entity,
  type JournalRow,
  type Branch,
  type OwnHead,
  type RecordKind,
  type Store,
} from '@quire/core/ports'

const page = 1000

/** The whole content of a store as one text. Stores with the same text have the same content. */
export async function textOfStore(store: Store): Promise<string> {
  const records: Record<string, unknown> = {}
  for (const kind of Object.keys(recordKeys) as RecordKind[]) records[kind] = await store.records.list(kind)
  const branches = await Promise.all((await branchesOf(store)).map((branch) => textOfBranch(store, branch)))
  const needed = await store.entities.neededBlobs({ limit: page })
  return JSON.stringify({ records, branches, needed, journal: await journalOf(store) })
}

/** Records that belong to a package or to one account alone, and the one that orders writes to structures. */
const ofPackages: ReadonlySet<RecordKind> = new Set<RecordKind>([
  'package',
  'packageComments',
  'merge',
  'workflow',
  'preferences',
  'structure',
])

/**
 * Digests of all that no package can change: of main, by repository, and of the records of rights,
 * types, settings and the like, by kind.
 */
export async function digestsOfMain(store: Store): Promise<Readonly<Record<string, string>>> {
  const digests: Record<string, string> = {}
  for (const kind of Object.keys(recordKeys) as RecordKind[])
    if (!ofPackages.has(kind)) digests[kind] = digest(await store.records.list(kind))
  for (const branch of await branchesOf(store))
    if (branch.packageId === null) digests[branch.repositoryId] = digest(await textOfBranch(store, branch))
  return digests
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/**
 * The content of a repository's main by id: contents and states, without versions, revisions and
 * times.
 */
export async function contentsOfMain(
  store: Store,
  repositoryId: string,
): Promise<ReadonlyMap<string, MainContent>> {
  const heads = await headsOfBranch(store, { repositoryId, packageId: null })
  return new Map(heads.map((head) => [head.id, contentOf(head)]))
}

/** The content and state of one entity on main. */
export interface MainContent {
  readonly kind: Entity['kind']
  readonly name: string
  readonly parentId: string | null
  /** Name, slug, folder, categories, values and roles, as one text. */
  readonly given: string
  readonly version: number
  readonly archived: boolean
  readonly deleted: boolean
  readonly isPublished: boolean
  /** Whether a draft is newer than the published version. */
  readonly isBehind: boolean
}

function contentOf(head: Entity): MainContent {
  const { kind, name, slug, parentId, roles, version, publishedVersion, archived, deletedDate } = head
  const { cardPreview: _derived, ...body } = head.body
  return {
    kind,
    name,
    parentId,
    given: sortedText({ name, slug, parentId, roles, body }),
    version,
    archived,
    deleted: deletedDate !== null,
    isPublished: publishedVersion !== null,
    isBehind: publishedVersion !== null && publishedVersion !== version,
  }
}

/** JSON with the members of every object sorted by name. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

async function branchesOf({ records }: Store): Promise<Branch[]> {
  const mains = (await records.list('repository')).map(({ id }) => ({ repositoryId: id, packageId: null }))
  const packages = (await records.list('package')).map(({ repositoryId, id }) => ({
    repositoryId,
    packageId: id,
  }))
  return [...mains, ...packages]
}

async function textOfBranch(store: Store, branch: Branch): Promise<unknown> {
  const heads = await headsOfBranch(store, branch)
  const whole = heads.map(async (head) => ({
    head,
    versions: await store.entities.versions(branch, head, { limit: page }),
    moment: await store.entities.moment(branch, head, Number.MAX_SAFE_INTEGER),
    incoming: await store.entities.incoming(branch, head.id, page),
  }))
  return { branch, heads: await Promise.all(whole) }
}

/** All heads of exactly this branch by id, including deleted ones. */
async function headsOfBranch({ entities }: Store, branch: Branch): Promise<readonly Entity[]> {
  const heads: Entity[] = []
  for (let after: OwnHead | undefined; ;) {
    const found = await entities.ownHeads(branch, { limit: page, ...(after && { after }) })
    for (const { kind, id } of found) {
      const head = await entities.get(branch, kind, id)
      if (head) heads.push(head)
    }
    after = found.at(-1)
    if (found.length < page) return heads
  }
}

async function journalOf({ journal }: Store): Promise<readonly JournalRow[]> {
  const rows: JournalRow[] = []
  for (;;) {
    const found = await journal.read({ after: rows.at(-1)?.sequence ?? 0, limit: page })
    rows.push(...found)
    if (found.length < page) return rows
  }
}
