import { QuireError, type AnswerInfo, type Api, type CallOptions } from '@quire/contract'
import { anonymous, systemIdentity, type Principal, type Quire } from '@quire/core'
import { configId, type CachingWorld } from './world.ts'

/** The package that callers read and changes write. */
export const packageName = 'next'

/** Somebody who reads the world. */
export interface Caller {
  readonly name: string
  readonly principal: Principal
}

/** A world with callers of different rights. */
export interface WorldOfCallers extends CachingWorld {
  readonly callers: readonly Caller[]
  /** The role of two callers that may read items. */
  readonly readersId: string
  /** The group by which one of them has it. */
  readonly groupId: string
  /** The accounts of both. */
  readonly accounts: readonly string[]
}

/** Adds a package and callers: a visitor, the process, a subscriber, and a member of a group. */
export async function withCallers(world: CachingWorld): Promise<WorldOfCallers> {
  const { desk, repositoryId, roleId } = world
  await desk.packages.create({ repo: configId, name: packageName })
  const readers = await desk.roles.create({
    name: 'readers',
    permissions: { repos: { [repositoryId]: ['items.read', 'graphql.query', 'packages.view'] } },
  })
  const group = await desk.groups.create({ name: 'members', roles: [readers.id] })
  const subscriber = await desk.serviceAccounts.create({ name: 'subscriber', roles: [readers.id, roleId] })
  const member = await desk.serviceAccounts.create({ name: 'member', groups: [group.id] })
  return {
    ...world,
    readersId: readers.id,
    groupId: group.id,
    accounts: [subscriber.id, member.id],
    callers: [
      { name: 'a visitor', principal: anonymous },
      { name: 'the process', principal: systemIdentity('desk') },
      { name: 'a subscriber', principal: { kind: 'service', id: subscriber.id } },
      { name: 'a member', principal: { kind: 'service', id: member.id } },
    ],
  }
}

/** What a caller gets from each read that is remembered, and from reads by slug, in order. */
export async function answersTo(world: CachingWorld, quire: Quire, { principal }: Caller): Promise<string[]> {
  const answers = []
  for (const read of readsOf(world, quire.as(principal))) {
    let about: AnswerInfo | undefined
    const onAnswer = (info: AnswerInfo) => {
      about = info
    }
    const text = await read({ onAnswer }).then((answer) => JSON.stringify(answer), refusalOf)
    answers.push(`${text} ${JSON.stringify(about)}`)
  }
  return answers
}

/** Errors: rethrows what is no refusal. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof QuireError) || error.status >= 500) throw error
  return `refused ${error.code}`
}

function readsOf({ articles, folders }: CachingWorld, { items, published, graphql }: Api) {
  const lists = [
    {},
    { type: 'article', sort: 'slug', limit: 3 },
    { type: 'article', select: ['name', 'readPerm'], include: ['author'], sort: 'name' },
    { filter: { 'fields.rank': { gte: 2 } }, sort: '-fields.rank', archived: true },
    { folderId: folders[0] ?? '', recursive: true, packageName },
  ]
  const queries = [
    '{ articles(sort: [slug_ASC]) { count items { slug title author { name } categories { name } } } }',
    `{ item(id: "${articles[0]}", version: "latest") { name status } }`,
    `{ item(slug: "renamed-0", package: "${packageName}") { id name currentVersion } }`,
  ]
  return [
    ...lists.map((list) => (options: CallOptions) => items.list({ configId, ...list }, options)),
    ...['article-0', 'renamed-0', 'renamed-1'].flatMap((slug) => [
      (options: CallOptions) => items.getBySlug({ configId, slug }, options),
      (options: CallOptions) => items.getBySlug({ configId, packageName, slug }, options),
      (options: CallOptions) => published.itemBySlug({ configId, slug }, options),
    ]),
    (options: CallOptions) => published.item({ configId, id: articles[1] ?? '' }, options),
    (options: CallOptions) => published.items({ configId, type: 'article', include: ['author'] }, options),
    ...queries.map((query) => (options: CallOptions) => graphql.query({ configId, query }, options)),
  ]
}
