import { endpoints, type Api, type Endpoint, type NamedEndpoint } from '@quire/contract'
import { Serialized, ServedBytes, type Request } from '@quire/core'
import { caller, repo, type MagazineEngine } from './magazine-engine.ts'

type Input = Readonly<Record<string, unknown>>

/** One read that can be repeated. */
export interface Read {
  readonly group: string
  readonly operation: string
  readonly input: Input
}

/** The answer of a read as the text that would be sent; for an error, its code and message. */
async function answerTo({ quire }: MagazineEngine, read: Read): Promise<string> {
  try {
    // The names come from the contract's own list.
    const answer = await quire.run({ ...read, principal: caller } as Request)
    if (answer instanceof ServedBytes) return await textOfBytes(answer)
    return answer instanceof Serialized ? answer.text : JSON.stringify(answer)
  } catch (error) {
    return String(error)
  }
}

async function textOfBytes(answer: ServedBytes): Promise<string> {
  const { mimeType, fileName, etag, disposition } = answer.source
  const bytes = Array.from(await answer.bytes(), (byte) => byte.toString(16)).join(' ')
  return JSON.stringify({ mimeType, fileName, etag, disposition, bytes })
}

/** The answers of many reads, each with its request. */
export async function answersTo(engine: MagazineEngine, reads: readonly Read[]): Promise<string[]> {
  const answers: string[] = []
  for (const read of reads)
    answers.push(
      `${read.group}.${read.operation} ${JSON.stringify(read.input)} → ${await answerTo(engine, read)}`,
    )
  return answers
}

/**
 * The same, after reading everything once before: a preset's rendition is made on the first read,
 * and items then report its size.
 */
export async function finishedAnswers(engine: MagazineEngine, reads: readonly Read[]): Promise<string[]> {
  await answersTo(engine, reads)
  return answersTo(engine, reads)
}

/** The ids of an engine that reads may use. */
interface KnownIds {
  readonly ids: readonly string[]
  readonly assets: readonly string[]
}

/** Every read of the contract that concerns main or no branch, with all known inputs. */
export async function readsOfMain(engine: MagazineEngine, ids: KnownIds): Promise<Read[]> {
  const known = await knownMembers(engine, ids)
  return endpoints
    .filter((named) => isRead(named.endpoint) && !isOnPackage(named.endpoint) && !isOfAllBranches(named))
    .flatMap(({ group, operation, endpoint }) =>
      inputsOf(endpoint, { ...known.everywhere, ...known[group] }).map((input) => ({
        group,
        operation,
        input,
      })),
    )
}

// `validate`, archives and queries are reads that are sent as POST.
function isRead({ method, path, answer }: Endpoint): boolean {
  return (
    method === 'GET' || path.endsWith('/validate') || path === '/api/queries/{configId}' || answer === 'bytes'
  )
}

/**
 * Reads that include packages: the search index, the log of a repository, event streams, and usage.
 */
function isOfAllBranches({ group, operation, endpoint }: NamedEndpoint): boolean {
  const isOfRepository = ['activity.list', 'repositories.usage'].includes(`${group}.${operation}`)
  return group === 'admin' || endpoint.answer === 'events' || isOfRepository
}

function isOnPackage({ input: { shape } }: Endpoint): boolean {
  return shape['packageName']?.safeParse(undefined).success === false
}

const members = 'id name slug status description currentVersion latestVersion isArchived categories { name }'

const graphQueries = [
  `{ articles(limit: 100, archived: true) { count items { ${members} price } } }`,
  `{ search(text: "article", limit: 100) { count items { ${members} } } }`,
]

type Members = Readonly<Record<string, readonly unknown[]>>
type Known = Readonly<Record<string, Members>>

/** The known values of input members, for any group or for one. */
async function knownMembers(
  { api, clock, taxonomyId, siteId }: MagazineEngine,
  { ids, assets }: KnownIds,
): Promise<Known> {
  const { items } = await api.items.list({ configId: repo, limit: 1000, archived: true })
  const folders = (await api.folders.list({ configId: repo, limit: 1000 })).items.map(({ id }) => id)
  const all = await api.categories.list({ configId: repo, taxonomyId, limit: 1000 })
  const categories = all.items.map(({ id }) => id)
  const types = await api.types.list()
  const roles = await api.roles.list()
  return {
    everywhere: {
      configId: [repo],
      repo: [repo],
      repositoryId: [repo],
      from: ['1'],
      version: ['latest', 'latestpublished', '1', '2'],
      at: [clock.now() - 1],
      archived: [true],
      text: ['article', 'named'],
      sort: ['name'],
      filter: [{ status: 'published' }, { 'fields.price': { gte: 10 } }],
      type: ['article'],
      select: [['id', 'name']],
    },
    items: {
      id: ids,
      slug: [...items.map(({ slug }) => slug), ...Array.from({ length: 5 }, (_, n) => `slug-${n}`)],
    },
    types: { id: types.items.map(({ id }) => id) },
    translations: { locale: ['de'], state: [['missing']] },
    folders: { id: folders, parentId: folders, depth: [1] },
    taxonomies: { id: [taxonomyId] },
    categories: { taxonomyId: [taxonomyId], id: categories, parentId: categories, depth: [1] },
    assets: {
      assetId: [...assets, ...ids.slice(0, 1)],
      rendition: ['original', 'thumbnail', 'hero', 'poster'],
      format: ['png'],
      width: [10],
      ids: [assets, ...assets.map((id) => [id])],
    },
    renditions: { assetId: [...assets, ...ids.slice(0, 1)] },
    renditionPresets: { name: ['hero', 'none'] },
    references: { itemId: ids, assetId: ids },
    dependencies: { itemId: ids, depth: [10] },
    activity: { assetId: ids },
    queries: {
      name: ['priced', 'none'],
      facets: [['type', 'status', 'folderId', 'categories', 'fields.price']],
      highlight: [true],
      parameters: [{ least: '10' }],
    },
    savedQueries: { name: ['priced', 'none'] },
    graphql: { query: graphQueries },
    workflowConnections: { id: ['CONN_01JXSC6G000000000000000001'] },
    workflowDefinitions: { id: ['WFDF_01JXSC6G000000000000000001'] },
    ai: { accessId: ['ACCS_01JXSC6G000000000000000001'] },
    integrations: { accessId: ['ACCS_01JXSC6G000000000000000001'], path: ['x'], method: ['GET'] },
    published: {
      id: ids,
      slug: ['none'],
      assetId: [...assets, ...ids.slice(0, 1)],
      rendition: ['original'],
      url: ['x'],
    },
    roles: { id: roles.items.map(({ id }) => id) },
    bundles: { id: ['bundle.viewer', 'bundle.none'] },
    users: { id: ['ada@example.org'] },
    groups: { id: ['GRUP_01JXSC6G000000000000000001'] },
    security: { id: roles.items.map(({ id }) => id) },
    repositories: { id: [repo] },
    autoPackageRules: { id: ['RULE_01JXSC6G000000000000000001'] },
    serviceAccounts: { id: ['SVCA_01JXSC6G000000000000000001'] },
    queue: { jobId: ['JOB_01JXSC6G000000000000000001'] },
    ...(await knownOfSites(api, siteId)),
    packages: { diffKey: ['none'], token: ['none'] },
    webhooks: { id: ['HOOK_01JXSC6G000000000000000001'] },
    access: { id: ['ACCS_01JXSC6G000000000000000001'] },
  }
}

/** The known values for a site and its sections and pages. */
async function knownOfSites(api: Api, siteId: string): Promise<Known> {
  const { items } = await api.sites.tree({ configId: repo, siteId })
  const idsOf = (kind: 'section' | 'page') => items.filter((node) => node.kind === kind).map(({ id }) => id)
  const [sections, pages] = [idsOf('section'), idsOf('page')]
  const { slug } = await api.sites.get({ configId: repo, siteId })
  return {
    sites: {
      siteId: [siteId],
      id: ['PUBL_01JXSC6G000000000000000001'],
      siteSlug: [slug],
      path: items.map(({ path }) => path),
    },
    sections: { siteId: [siteId], id: sections, parentId: sections },
    pages: { siteId: [siteId], id: pages, sectionId: sections },
  }
}

/**
 * Inputs with every known value of each required member, alone and with each known value of each
 * optional member.
 */
function inputsOf({ input: { shape }, path }: Endpoint, known: Members): Input[] {
  const names = Object.keys(shape).filter((name) => name !== 'packageName')
  const isOptional = (name: string) => shape[name]?.safeParse(undefined).success === true
  const required = names.filter((name) => !isOptional(name))
  const unknown = required.filter((name) => !known[name])
  if (unknown.length > 0)
    throw new TypeError(`No values are known for these members of ${path}: ${unknown.join(', ')}.`)
  const least = required.reduce<Input[]>((inputs, name) => inputs.flatMap((input) => each(input, name)), [{}])
  return [
    ...least,
    ...names.filter(isOptional).flatMap((name) => least.flatMap((input) => each(input, name))),
  ]

  function each(input: Input, name: string): Input[] {
    return (known[name] ?? []).map((value) => ({ ...input, [name]: value }))
  }
}
