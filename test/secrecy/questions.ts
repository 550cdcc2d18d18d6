import fc from 'fast-check'
import { known, names, operandsOf, operators, words } from './question-names.ts'
import type { Api } from '@quire/contract'
import { repository } from './world-content.ts'
import { packageNames, sharedPackage } from './world-hidden.ts'

/** A request in the form that `run` takes. */
export interface Question {
  readonly group: keyof Api
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
}

type Input = Question['input']

const configId = repository
const allPackages = [...packageNames, sharedPackage]

/** Every operator on every name. */
export function filters(): Input[] {
  return names.flatMap((name) =>
    operators.flatMap((operator) =>
      operandsOf(name, operator).map((operand) => ({ filter: { [name]: { [operator]: operand } } })),
    ),
  )
}

/** Every name ascending and descending, page by page. */
function sorts(): Input[] {
  return names.flatMap((name) => [
    { sort: name, limit: 2 },
    { sort: `-${name},name`, limit: 1 },
  ])
}

/** Words, members, references, pages and invented cursors. */
function others(ids: readonly string[]): Input[] {
  const cursor = (values: unknown[], id: string) =>
    Buffer.from(JSON.stringify({ sort: 'name', values, id })).toString('base64url')
  return [
    ...words.map((text) => ({ text })),
    ...names.map((name) => ({ select: [name] })),
    ...[...names, 'author', 'related', 'secret', 'only0'].map((name) => ({
      include: [name],
      type: 'article',
    })),
    { include: ['related'], select: ['name'], type: 'article', skipCount: true },
    ...['article', 'author', 'vault', 'nothing'].flatMap((type) => [
      { type },
      { type, skipCount: true },
      { type, filter: { 'fields.secret': 'x' } },
    ]),
    ...ids.flatMap((id) => [
      { folderId: id },
      { folderId: id, recursive: true },
      { sort: 'name', cursor: cursor(['d'], id) },
    ]),
    ...['', 'umbra', 'zenith', null, 3, true].map((value) => ({
      sort: 'name',
      cursor: cursor([value], ids.at(-1) ?? ''),
    })),
    ...[0, 3, 5, 6, 7, 1000].map((offset) => ({ sort: 'name', offset })),
    { archived: true },
    {},
  ]
}

const condition = fc
  .constantFrom(...names)
  .chain((name) =>
    fc
      .constantFrom(...operators)
      .chain((operator) =>
        fc
          .constantFrom(...operandsOf(name, operator))
          .map((operand) => [name, { [operator]: operand }] as const),
      ),
  )
const sortKey = fc
  .tuple(fc.constantFrom('', '-'), fc.constantFrom(...Object.keys(known)))
  .map((parts) => parts.join(''))

/** Members that lists and queries have in common. */
export const combinedMembers = {
  filter: fc.array(condition, { minLength: 1, maxLength: 3 }).map((pairs) => Object.fromEntries(pairs)),
  sort: fc.array(sortKey, { minLength: 1, maxLength: 3 }).map((keys) => keys.join(',')),
  text: fc.constantFrom('umbra', 'zenith', 'all', 'body', 'dune', 'crimson'),
  type: fc.constantFrom('article', 'vault', 'author'),
  limit: fc.integer({ min: 1, max: 3 }),
  skipCount: fc.boolean(),
  select: fc.constantFrom(['name'], ['fields.title'], ['fields'], ['taxonomies']),
  include: fc.constantFrom(['related'], ['author']),
}

const combined: fc.Arbitrary<Input> = fc.record(combinedMembers, { requiredKeys: [] })

/** The number of combined requests, with a fixed seed. */
const combinations = { seed: 20_260_722, numRuns: 500 }

/** All requests for lists of items. */
export function listQuestions(group: 'items' | 'published', ids: readonly string[]): Question[] {
  const operation = group === 'items' ? 'list' : 'items'
  const inputs = [...filters(), ...sorts(), ...others(ids), ...fc.sample(combined, combinations)]
  return inputs.map((input) => ({ group, operation, input: { configId, ...input } }))
}

/** All requests for single items: by id and slug, on main and in packages. */
export function itemQuestions(ids: readonly string[]): Question[] {
  const slugs = [
    'amber',
    'cedar',
    'umbra',
    'umbra-1',
    'zenith-1',
    'umbra-2',
    'zenith-2',
    'umbra-3',
    'never-umbra',
    'nothing',
  ]
  const picks: Input[] = [
    {},
    { include: ['related'] },
    { select: ['createdByUser', 'name'] },
    { select: ['fields.related'] },
    { select: ['text', 'taxonomies'] },
  ]
  const at = ids.flatMap((id) => picks.map((picked) => ({ configId, id, ...picked })))
  const bySlug = slugs.flatMap((slug) => picks.map((picked) => ({ configId, slug, ...picked })))
  const versions = ids.flatMap((id) =>
    ['1', '2', '3', 'latest', 'latestpublished'].map((version) => ({ configId, id, version })),
  )
  const inPackages = allPackages.flatMap((packageName) => ids.map((id) => ({ configId, id, packageName })))
  const asked = (operation: string, inputs: readonly Input[]) =>
    inputs.map((input) => ({ group: 'items', operation, input }) as const)
  return [
    ...asked('get', [...at, ...versions, ...inPackages]),
    ...asked('getBySlug', bySlug),
    ...asked('versions', [...ids.map((id) => ({ configId, id })), ...inPackages]),
    ...asked(
      'validate',
      ids.map((id) => ({ configId, id })),
    ),
    ...asked(
      'diff',
      ids.map((id) => ({ configId, id, from: '1' })),
    ),
    ...asked(
      'list',
      allPackages.map((packageName) => ({ configId, packageName })),
    ),
    ...[...at, ...versions].map((input) => ({ group: 'published', operation: 'item', input }) as const),
    ...bySlug.map((input) => ({ group: 'published', operation: 'itemBySlug', input }) as const),
  ]
}

/** All requests for files: by the ids of items, one of which has a file, and by possible slugs. */
export function assetQuestions(ids: readonly string[]): Question[] {
  const renditions = ['original', 'thumbnail', 'card', 'nothing']
  const ofEach = ids.flatMap((assetId) =>
    renditions.flatMap((rendition): Question[] => [
      { group: 'assets', operation: 'get', input: { configId, assetId, rendition } },
      { group: 'published', operation: 'asset', input: { configId, assetId, rendition } },
    ]),
  )
  const bySlug = ['umbra', 'zenith'].flatMap((slug) =>
    renditions.map((rendition): Question => {
      return { group: 'published', operation: 'assetBySlug', input: { configId, slug, rendition } }
    }),
  )
  const whole = ids.flatMap((assetId): Question[] => [
    { group: 'assets', operation: 'zip', input: { configId, ids: [assetId] } },
    { group: 'renditions', operation: 'list', input: { configId, assetId } },
    { group: 'published', operation: 'embed', input: { configId, assetId } },
    { group: 'published', operation: 'oembed', input: { url: addressOf(assetId) } },
  ])
  return [...ofEach, ...bySlug, ...whole]
}

function addressOf(assetId: string): string {
  return `http://quire.test/api/embed/${configId}/${assetId}`
}

/** Requests about people, roles and packages. */
export function peopleQuestions(): Question[] {
  const users = ['ada@example.org', 'eve@hidden.example', 'nobody@example.org']
  return [
    ...(['users', 'roles', 'groups', 'serviceAccounts'] as const).flatMap((group) => [
      { group, operation: 'list', input: {} },
      { group, operation: 'list', input: { limit: 1 } },
    ]),
    ...users.flatMap((id) => [
      { group: 'users', operation: 'get', input: { id } } as const,
      { group: 'users', operation: 'permissions', input: { id } } as const,
      { group: 'users', operation: 'getPreferences', input: { id } } as const,
      { group: 'security', operation: 'userInfo', input: { id } } as const,
    ]),
    { group: 'security', operation: 'audit', input: {} },
    { group: 'packages', operation: 'list', input: { repo: configId } },
    ...allPackages.flatMap((packageName) =>
      ['get', 'changes', 'diff', 'conflicts'].map(
        (operation) => ({ group: 'packages', operation, input: { repo: configId, packageName } }) as const,
      ),
    ),
  ]
}
