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

/** Everything that a store tells of itself, as one text: two stores with the same text hold the same. */
export async function textOfStore(store: Store): Promise<string> {
  const records: Record<string, unknown> = {}
  for (const kind of Object.keys(recordKeys) as RecordKind[]) records[kind] = await store.records.list(kind)
  const branches = await Promise.all((await branchesOf(store)).map((branch) => textOfBranch(store, branch)))
  const needed = await store.entities.neededBlobs({ limit: page })
  return JSON.stringify({ records, branches, needed, journal: await journalOf(store) })
}

/** What main of a repository says, by id: contents and marks, without versions, revisions and times. */
export async function contentsOfMain(
  store: Store,
  repositoryId: string,
): Promise<ReadonlyMap<string, MainContent>> {
  const heads = await headsOfBranch(store, { repositoryId, packageId: null })
  return new Map(heads.map((head) => [head.id, contentOf(head)]))
}

/** What one thing on main says and is. */
export interface MainContent {
  readonly kind: Entity['kind']
  readonly name: string
  readonly parentId: string | null
  /** Name, address, folder, categories, values and roles, as one text. */
  readonly given: string
  readonly version: number
  readonly archived: boolean
  readonly deleted: boolean
  readonly isPublished: boolean
  /** Something is published and a draft is newer. */
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

/** JSON with the members of every object by name. */
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

/** The whole heads that exactly this branch holds, deleted ones too, by id. */
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
