import type { Api, PermissionKey } from '@quire/contract'
import { anonymous, systemIdentity, type Principal } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { specimens } from '@quire/testkit'
import { articleValues, repository as configId } from './world-content.ts'
import { sharedPackage } from './world-hidden.ts'
import { openWorld, type World } from './world.ts'

type Fields = Parameters<Api['types']['create']>[0]['fields']

/** References, files and categories at every depth that a schema has. */
const dossierFields: Fields = [
  { name: 'cover', kind: 'asset' },
  { name: 'files', kind: 'asset', list: true },
  { name: 'theme', kind: 'category' },
  { name: 'themes', kind: 'category', list: true },
  { name: 'lead', kind: 'reference', settings: { types: ['author'] } },
  { name: 'locked', kind: 'reference', settings: { types: ['vault'] } },
  { name: 'cast', kind: 'reference', list: true },
  { name: 'status', kind: 'text' },
  { name: 'rank', kind: 'integer', settings: { min: 0, max: 9 } },
  {
    name: 'details',
    kind: 'group',
    settings: {
      fields: [
        { name: 'contact', kind: 'reference' },
        {
          name: 'deep',
          kind: 'group',
          settings: {
            fields: [
              { name: 'plan', kind: 'asset' },
              { name: 'words', kind: 'text', list: true },
            ],
          },
        },
      ],
    },
  },
  {
    name: 'parts',
    kind: 'union',
    list: true,
    settings: {
      variants: [
        {
          name: 'passage',
          fields: [
            { name: 'words', kind: 'text' },
            { name: 'by', kind: 'reference' },
          ],
        },
        {
          name: 'plate',
          fields: [
            { name: 'image', kind: 'asset' },
            { name: 'colour', kind: 'category' },
          ],
        },
      ],
    },
  },
]

/** Unique words in content that some may not read, one per kind of content. */
export const canaries = {
  limited: 'nightshade',
  draft: 'wolfsbane',
  unpublished: 'monkshood',
  packaged: 'hemlock',
  vault: 'aconite',
  archived: 'oleander',
  article: 'secondCousins',
  vaultType: 'only0',
  person: 'ada@example.org',
} as const

/** A kind of hidden content. */
export type Canary = keyof typeof canaries

/** A principal, and what must never reach it. */
export interface Caller {
  readonly name: string
  readonly principal: Principal
  readonly api: Api
  /** Whether the principal reads only public, published content. */
  readonly isPublic: boolean
  readonly unheard: readonly Canary[]
}

const reading: readonly PermissionKey[] = ['items.read', 'assets.read', 'assets.download']
const editing: readonly PermissionKey[] = [...reading, 'items.create', 'items.update', 'items.delete']
const asking: readonly PermissionKey[] = ['graphql.query', 'queries.run']

interface Rights {
  readonly isPublic?: boolean
  readonly ofAll: readonly PermissionKey[]
  readonly ofSome?: readonly PermissionKey[]
  readonly types?: readonly string[]
  readonly unheard: readonly Canary[]
}

const hiddenFromPublic: readonly Canary[] = [
  'limited',
  'draft',
  'unpublished',
  'packaged',
  'archived',
  'person',
]

const accounts: Readonly<Record<string, Rights>> = {
  'reader of one type': {
    ofAll: asking,
    ofSome: reading,
    types: ['dossier'],
    unheard: ['limited', 'packaged', 'vault', 'article', 'vaultType'],
  },
  'reader without the role': { ofAll: [...asking, ...reading], unheard: ['limited', 'packaged'] },
  'editor of a package': {
    ofAll: [...asking, 'packages.view'],
    ofSome: editing,
    types: ['article', 'author', 'file', 'picture', 'dossier'],
    unheard: ['limited', 'vault', 'vaultType'],
  },
  'reader of folders only': {
    ofAll: [...asking, 'folders.read'],
    unheard: [
      'limited',
      'draft',
      'unpublished',
      'packaged',
      'vault',
      'archived',
      'article',
      'vaultType',
      'person',
    ],
  },
  // Like an anonymous caller: its permission is useless without another one.
  'account without graphql.query': { ofAll: ['queries.run'], isPublic: true, unheard: hiddenFromPublic },
}

/** All principals, named after their permissions. */
export const principalNames = ['administrator', 'anonymous caller', ...Object.keys(accounts)]

/**
 * A world with everything that a schema can lead to, and its principals, the administrator first.
 */
export interface GraphqlWorld {
  readonly world: World
  readonly system: Api
  readonly principals: readonly Caller[]
}

export async function openGraphqlWorld(): Promise<GraphqlWorld> {
  const world = await openWorld(createMemoryStore(), {
    caller: 'typed editor',
    hides: new Set(['limited', 'types']),
    variant: 0,
  })
  const system = world.quire.as(systemIdentity('graph'))
  const settings = { graphql: { public: true } }
  const { id } = await system.repositories.update({ id: configId, public: true, settings })
  await makeContent(system, world)
  return { world, system, principals: await makePrincipals(system, world, id) }
}

async function makePrincipals(
  system: Api,
  { quire, insider }: World,
  repositoryId: string,
): Promise<Caller[]> {
  const made: Caller[] = [
    { name: 'administrator', principal: insider, api: quire.as(insider), isPublic: false, unheard: [] },
    {
      name: 'anonymous caller',
      principal: anonymous,
      api: quire.as(anonymous),
      isPublic: true,
      unheard: hiddenFromPublic,
    },
  ]
  for (const [name, { ofAll, ofSome = [], types = [], isPublic = false, unheard }] of Object.entries(
    accounts,
  )) {
    const typed = types.map((type): [string, PermissionKey[]] => [`${repositoryId}:${type}`, [...ofSome]])
    const repos = { ...Object.fromEntries(typed), [repositoryId]: [...ofAll] }
    const role = await system.roles.create({ name, permissions: { repos } })
    const principal: Principal = {
      kind: 'service',
      id: (await system.serviceAccounts.create({ name, roles: [role.id] })).id,
    }
    made.push({ name, principal, api: quire.as(principal), isPublic, unheard })
  }
  return made
}

/** The targets of dossier references. */
interface Targets {
  readonly open: string
  readonly limited: string
  readonly vault: string
  readonly picture: string
  readonly hiddenPicture: string
}

async function makeContent(api: Api, { ids, structure }: World): Promise<void> {
  const [inner] = (await api.roles.list({})).items.filter(({ name }) => name === 'Inner circle')
  const readPerm = [inner?.id ?? '']
  await api.types.create({ name: 'picture', fields: [], settings: { isAsset: true } })
  await api.types.create({ name: 'dossier', fields: dossierFields })
  const [red, , violet] = structure.categories
  const targets: Targets = {
    open: ids[0] ?? '',
    limited: await made(api, { type: 'article', name: canaries.limited, readPerm, categories: [violet] }),
    vault: await made(api, { type: 'vault', name: canaries.vault, fields: { secret: canaries.vault } }),
    picture: await pictured(api, { name: 'galls', readPerm: [] }),
    hiddenPicture: await pictured(api, { name: canaries.limited, readPerm }),
  }
  const whole = dossierValues(targets, [red, violet])
  const dossier = await made(api, { type: 'dossier', name: 'whole', fields: whole, categories: [red] })
  await made(api, { type: 'dossier', name: 'bare', fields: {} })
  await made(api, {
    type: 'dossier',
    name: canaries.limited,
    readPerm,
    fields: { ...whole, status: canaries.limited },
  })
  await makeStates(api, { dossier, open: targets.open })
}

/** References to all visible content, and to hidden content. */
function dossierValues(
  { open, limited, vault, picture, hiddenPicture }: Targets,
  [red, violet]: readonly [string, string],
) {
  return {
    cover: picture,
    files: [hiddenPicture, picture],
    theme: red,
    themes: [red, violet],
    lead: open,
    locked: vault,
    cast: [limited, open, vault, limited],
    status: 'known',
    rank: 3,
    details: { contact: limited, deep: { plan: hiddenPicture, words: ['one', 'two'] } },
    parts: [
      { type: 'passage', words: 'so', by: limited },
      { type: 'plate', image: picture, colour: red },
      { type: 'plate', image: hiddenPicture },
    ],
  }
}

/**
 * Items that are drafted over a published version, never published, archived, or changed in a
 * package.
 */
async function makeStates(api: Api, { dossier, open }: { dossier: string; open: string }): Promise<void> {
  const seen = { status: 'said', lead: open }
  const drafted = await made(api, { type: 'dossier', name: 'drafted', fields: seen })
  const draft = { name: canaries.draft, slug: canaries.draft, fields: { status: canaries.draft } }
  await api.items.update({ configId, id: drafted, ...draft })
  const unpublished = { type: 'dossier', name: canaries.unpublished, fields: { lead: open } }
  await api.items.create({ repositoryId: configId, ...unpublished })
  const archived = await made(api, { type: 'dossier', name: canaries.archived, fields: {} })
  await api.items.archive({ configId, id: archived })
  const packageName = sharedPackage
  const packaged = { repositoryId: configId, packageName, type: 'article', name: canaries.packaged }
  const { id } = await api.items.create({ ...packaged, fields: articleValues(canaries.packaged, 8, []) })
  const cast = [id, open, dossier]
  await api.items.update({ configId, packageName, id: dossier, fields: { cast, status: canaries.packaged } })
  await api.items.update({ configId, packageName, id: open, name: `${canaries.packaged} author` })
}

interface About {
  readonly type: string
  readonly name: string
  readonly readPerm?: string[]
  readonly categories?: string[]
  readonly fields?: Parameters<Api['items']['create']>[0]['fields']
}

/** Creates and publishes an item. */
async function made(api: Api, { fields = {}, ...about }: About): Promise<string> {
  const { id } = await api.items.create({ repositoryId: configId, ...about, fields })
  await api.items.publish({ configId, id })
  return id
}

/** Creates and publishes a picture. */
async function pictured(api: Api, about: { name: string; readPerm: string[] }): Promise<string> {
  const file = new File([Uint8Array.from(await specimens.png())], `${about.name}.png`, { type: 'image/png' })
  const { id } = await api.assets.create({ configId, type: 'picture', ...about, file })
  await api.items.publish({ configId, id })
  return id
}
