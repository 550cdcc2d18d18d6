import type { Field } from '@quire/contract'
import type { HttpAnswer } from '../server/connection.ts'
import { parsed } from './judge.ts'
import type { FuzzOperation } from './operations.ts'
import type { KnownDelivery, Pool } from './pool.ts'
import { preparedPackage } from './prepare.ts'
import { learnUpload } from './learn-upload.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * Records ids, slugs, versions, cursors and entity tags from a successful answer for later
 * requests.
 */
export function learn(pool: Pool, operation: FuzzOperation, answer: HttpAnswer): void {
  if (operation.endpoint.body === 'tus') return learnUpload(pool, operation, answer)
  const { etag } = answer.headers
  if (etag !== undefined) pool.tags.add(etag)
  if (operation.endpoint.answer === 'events') return learnEvents(pool, answer)
  if (answer.status > 201 || ['bytes', 'proxied'].includes(operation.endpoint.answer)) return
  const body = parsed(answer)
  if (!body) return
  if (typeof body['nextCursor'] === 'string') pool.cursors.add(body['nextCursor'])
  learners[operation.id.replace(/InPackage$/, '')]?.(pool, body)
}

/** Records event ids from which streams can be resumed. */
function learnEvents({ events }: Pool, { body }: HttpAnswer): void {
  for (const [, id] of body.toString().matchAll(/^id: (\S+)$/gm)) events.add(id ?? '')
}

/**
 * Removes entities that a request has deleted, or that were not found when nothing else could be
 * missing.
 */
export function forget(
  pool: Pool,
  { id, method }: FuzzOperation,
  { named, status }: { named: string; status: number },
): void {
  if (!(method === 'DELETE' && status === 204) && status !== 404) return
  const [group = ''] = id.split('.')
  namedBy(pool, group)?.remove((known) => known === named)
  identifiedBy(pool, group)?.remove((known) => known.id === named)
  if (group === 'renditionPresets') pool.presets.remove((known) => known.name === named)
  // Other requests name an additional part of an asset, which may be the missing one.
  if (group === 'items' || /^(assets\.replace|renditions\.list)/.test(id)) forgetItem(pool, { named, status })
}

function forgetItem(
  { items, deleted, assets, made }: Pool,
  { named, status }: { named: string; status: number },
): void {
  const item = items.remove((known) => known.id === named)
  for (const others of [assets, made]) others.remove((known) => known.id === named)
  if (item && status === 204) deleted.add(item)
}

/** What the path of a group's requests identifies, with the pool's knowledge of it. */
function identifiedBy(pool: Pool, group: string): Removable | undefined {
  const byGroup: Readonly<Record<string, Removable>> = {
    uploads: pool.uploads,
    folders: pool.folders,
    taxonomies: pool.taxonomies,
    categories: pool.categories,
    sites: pool.sites,
    sections: pool.sections,
    pages: pool.pages,
  }
  return byGroup[group]
}

interface Removable {
  remove(isGone: (known: { readonly id: string }) => boolean): unknown
}

/** What `id` or `packageName` identifies in a group's requests. */
function namedBy(pool: Pool, group: string): Pool['roles'] | undefined {
  const byGroup: Readonly<Record<string, Pool['roles']>> = {
    repositories: pool.repositories,
    types: pool.typeRefs,
    packages: pool.packages,
    autoPackageRules: pool.rules,
    roles: pool.roles,
    serviceAccounts: pool.accounts,
    users: pool.users,
    groups: pool.groups,
    bundles: pool.bundles,
    queries: pool.queries,
    savedQueries: pool.queries,
    webhooks: pool.webhooks,
    workflowConnections: pool.connections,
    workflowDefinitions: pool.definitions,
    access: pool.accesses,
  }
  return byGroup[group]
}

const learners: Readonly<Record<string, (pool: Pool, body: Body) => void>> = {
  'items.create': learnItem,
  'items.update': learnItem,
  'items.copy': learnItem,
  'items.restore': learnItem,
  'items.publish': learnItem,
  'assets.create': learnItem,
  'assets.createFromUrl': learnItem,
  'assets.replace': learnItem,
  'renditions.upload': learnItem,
  'renditions.remove': learnItem,
  'renditionPresets.create': ({ presets }, { repositoryId, name }) =>
    presets.add({ repositoryId: String(repositoryId), name: String(name) }),
  'packages.create': ({ packages }, { name }) => packages.add(String(name)),
  'packages.pageDiff': ({ diffs }, { diffKey }) => diffs.add(String(diffKey)),
  'packages.addShareLink': ({ shareLinks }, { id, url, packageName }) => {
    if (packageName === preparedPackage)
      shareLinks.add({ id: String(id), token: String(url).split('/').at(-2) ?? '' })
  },
  'packages.revert': ({ packages }, { name }) => packages.add(String(name)),
  'autoPackageRules.create': ({ rules }, { id }) => rules.add(String(id)),
  'repositories.create': ({ repositories }, { id, name }) => {
    repositories.add(String(id))
    repositories.add(String(name))
  },
  'types.create': learnType,
  'types.update': learnType,
  'roles.create': ({ roles }, { id }) => roles.add(String(id)),
  'serviceAccounts.create': ({ accounts }, { id }) => accounts.add(String(id)),
  'users.create': ({ users }, { id }) => users.add(String(id)),
  'groups.create': ({ groups }, { id }) => groups.add(String(id)),
  'bundles.create': ({ bundles }, { id }) => bundles.add(String(id)),
  'serviceAccounts.addSecret': learnSecrets,
  'folders.create': ({ folders }, body) => folders.add(locationIn(body)),
  'taxonomies.create': ({ taxonomies }, body) => taxonomies.add(locationIn(body)),
  'categories.create': ({ categories }, body) =>
    categories.add({ ...locationIn(body), taxonomyId: String(body['taxonomyId']) }),
  'sites.create': ({ sites }, body) => sites.add(locationIn(body)),
  'sections.create': ({ sections }, body) =>
    sections.add({ ...locationIn(body), siteId: String(body['siteId']) }),
  'pages.create': ({ pages }, body) => pages.add({ ...locationIn(body), siteId: String(body['siteId']) }),
  'webhooks.create': ({ webhooks }, { id }) => webhooks.add(String(id)),
  'workflowConnections.create': ({ connections }, { id }) => connections.add(String(id)),
  'workflowDefinitions.create': ({ definitions }, { id }) => definitions.add(String(id)),
  'webhooks.deliveries': ({ deliveries }, { items }) => {
    // Answered by the service and validated against its schema.
    for (const { webhookId, id } of items as KnownDelivery[]) deliveries.add({ webhookId, id })
  },
  'admin.generateKey': ({ accesses }, { id }) => accesses.add(String(id)),
  'queue.list': ({ jobs }, { items }) => {
    // Answered by the service and validated against its schema.
    for (const { id } of items as { id: string }[]) jobs.add(id)
  },
  'savedQueries.create': ({ queries }, { name }) => queries.add(String(name)),
}

/** The branch and id of a folder, taxonomy or category. */
function locationIn({ packageName, id }: Body) {
  return { isInPackage: packageName !== null, id: String(id) }
}

function learnSecrets({ secrets }: Pool, { id, secrets: visible }: Body): void {
  // Answered by the service and validated against its schema.
  for (const secret of visible as { id: string }[]) secrets.add({ account: String(id), id: secret.id })
}

function learnItem({ items, assets, made }: Pool, body: Body): void {
  const { repositoryId, packageName, id, slug, latestVersion, asset } = body
  // Answered by the service and validated against its schema.
  const renditions = body['renditions'] as { name: string; type: string }[]
  const item = {
    repositoryId: String(repositoryId),
    isInPackage: packageName !== null,
    id: String(id),
    slug: String(slug),
    version: Number(latestVersion),
    made: renditions.filter(({ type }) => type === 'custom').map(({ name }) => name),
  }
  items.add(item)
  if (asset === null) return
  assets.add(item)
  made.remove((known) => known.id === item.id)
  if (item.made.length > 0) made.add(item)
}

function learnType({ types, typeRefs }: Pool, { id, name, apiName, fields }: Body): void {
  // Answered by the service and validated against its schema.
  types.add({ name: String(name), apiName: String(apiName), fields: fields as Field[] })
  typeRefs.add(String(id))
  typeRefs.add(String(name))
}
