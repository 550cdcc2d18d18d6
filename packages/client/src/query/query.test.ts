import { InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core'
import type { Api, Item } from '@quire/contract'
import { setupServer } from 'msw/node'
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest'
import { createClient, isQuireError, type Client, type ReadItemOf } from '../index.ts'
import { createMockQuire } from '../mock/index.ts'
import { infiniteQueryOptions, invalidate, mutationOptions, queryKey, queryOptions } from './index.ts'

interface ContentTypes {
  article: { title?: string }
  author: { born?: number }
}

const inMagazine = { configId: 'magazine' } as const
const articles = { ...inMagazine, type: 'article', sort: 'name' } as const

async function prepare(api: Api<ContentTypes>): Promise<void> {
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'article', fields: [{ name: 'title', kind: 'text' }] })
  await api.types.create({ name: 'author', fields: [{ name: 'born', kind: 'integer' }] })
  for (const name of ['A', 'B', 'C', 'D', 'E'])
    await api.items.create({ repositoryId: 'magazine', type: 'article', name, fields: { title: name } })
}

/** A client of a mocked service with five articles, and a QueryClient. */
async function open() {
  const mock = await createMockQuire<ContentTypes>({ prepare })
  const server = setupServer(...mock.handlers)
  server.listen()
  const queryClient = new QueryClient()
  queryClient.mount()
  onTestFinished(() => {
    queryClient.clear()
    queryClient.unmount()
    server.close()
  })
  return { ...mock, queryClient, quire: createClient<ContentTypes>(mock) }
}

const slugOf = ({ id }: { id: string }) => ({ ...inMagazine, id })

describe('queryOptions', () => {
  it('reads an item, and stores it under a key that names the operation and its input', async () => {
    const { quire, queryClient } = await open()
    const options = queryOptions(quire, 'items.getBySlug', { ...inMagazine, slug: 'a' })
    const item = await queryClient.fetchQuery(options)
    expect(item.name).toBe('A')
    expect(options.queryKey).toEqual(['quire', 'items', 'getBySlug', { configId: 'magazine', slug: 'a' }])
    expect(queryClient.getQueryData(options.queryKey)).toBe(item)
  })

  it('has the same keys and data with the engine in the same process', async () => {
    const { api, quire, queryClient } = await open()
    const input = { ...articles, limit: 1 } as const
    const options = queryOptions(api, 'items.list', input)
    expect(options.queryKey).toEqual(queryOptions(quire, 'items.list', input).queryKey)
    const { items } = await queryClient.fetchQuery(options)
    expect(items.map(({ fields }) => fields?.title)).toEqual(['A'])
  })

  it('fails at once with the error of the operation, because the client itself retries', async () => {
    const { quire, queryClient } = await open()
    const read = vi.spyOn(quire.items, 'getBySlug')
    const failing = queryClient.fetchQuery(
      queryOptions(quire, 'items.getBySlug', { ...inMagazine, slug: 'none' }),
    )
    await expect(failing).rejects.toMatchObject({ code: 'not_found' })
    const observer = new QueryObserver(
      queryClient,
      queryOptions(quire, 'items.getBySlug', { ...inMagazine, slug: 'none' }),
    )
    onTestFinished(observer.subscribe(() => undefined))
    await vi.waitFor(() => expect(observer.getCurrentResult().status).toBe('error'))
    expect(read).toHaveBeenCalledTimes(2)
  })

  it('aborts the call when nobody needs the query any more', async () => {
    const { quire, queryClient } = await open()
    let signal: AbortSignal | undefined
    vi.spyOn(quire.items, 'list').mockImplementation((_, options) => {
      signal = options?.signal
      return new Promise(() => undefined)
    })
    const observer = new QueryObserver(queryClient, queryOptions(quire, 'items.list', articles))
    observer.subscribe(() => undefined)()
    await vi.waitFor(() => expect(signal?.aborted).toBe(true))
  })
})

describe('infiniteQueryOptions', () => {
  it('reads a list page by page to its end', async () => {
    const { quire, queryClient } = await open()
    const options = infiniteQueryOptions(quire, 'items.list', { ...articles, limit: 2 })
    const observer = new InfiniteQueryObserver(queryClient, options)
    onTestFinished(observer.subscribe(() => undefined))
    const namesOf = () =>
      observer.getCurrentResult().data?.pages.map(({ items }) => items.map(({ name }) => name))
    await vi.waitFor(() => expect(namesOf()).toEqual([['A', 'B']]))
    await observer.fetchNextPage()
    await observer.fetchNextPage()
    expect(namesOf()).toEqual([['A', 'B'], ['C', 'D'], ['E']])
    expect(observer.getCurrentResult().hasNextPage).toBe(false)
  })

  it('shares no key with a query of one page', async () => {
    const { quire, queryClient } = await open()
    const single = await queryClient.fetchQuery(queryOptions(quire, 'items.list', articles))
    const many = await queryClient.fetchInfiniteQuery(infiniteQueryOptions(quire, 'items.list', articles))
    expect(many.pages).toEqual([single])
  })

  it('searches page by page, too', async () => {
    const { quire, queryClient } = await open()
    const options = infiniteQueryOptions(quire, 'queries.run', { ...articles, limit: 3 })
    const { pages } = await queryClient.fetchInfiniteQuery({ ...options, pages: 2 })
    expect(pages.map(({ items }) => items.length)).toEqual([3, 2])
  })
})

describe('mutationOptions', () => {
  it('merges a change with one that others made to other members since', async () => {
    const { quire, queryClient, api } = await open()
    const { id, currentVersion } = await api.items.getBySlug({ ...inMagazine, slug: 'a' })
    await api.items.update<'article'>({ ...slugOf({ id }), fields: { title: 'Theirs' } })
    const rename = new MutationObserver(queryClient, mutationOptions(quire, 'items.update'))
    const changed = await rename.mutate({ ...slugOf({ id }), name: 'Mine', baseVersion: currentVersion })
    expect([changed.name, changed.type === 'article' && changed.fields.title]).toEqual(['Mine', 'Theirs'])
  })

  it('fails with the conflicts if others changed the same member since', async () => {
    const { quire, queryClient, api } = await open()
    const { id, currentVersion } = await api.items.getBySlug({ ...inMagazine, slug: 'a' })
    await api.items.update({ ...slugOf({ id }), name: 'Theirs' })
    const rename = new MutationObserver(queryClient, mutationOptions(quire, 'items.update'))
    const change = { ...slugOf({ id }), name: 'Mine', baseVersion: currentVersion }
    await expect(rename.mutate(change)).rejects.toMatchObject({ code: 'version_conflict' })
    const { error } = rename.getCurrentResult()
    expect(isQuireError(error) && error.conflicts).toEqual([
      { path: 'name', base: 'A', yours: 'Mine', theirs: 'Theirs' },
    ])
    expect((await api.items.getBySlug({ ...inMagazine, slug: 'a' })).name).toBe('Theirs')
  })

  it('passes options to each call', async () => {
    const { quire, queryClient } = await open()
    const create = new MutationObserver(
      queryClient,
      mutationOptions(quire, 'items.create', ({ name }) => ({ idempotencyKey: `create ${name}` })),
    )
    const draft = { repositoryId: 'magazine', type: 'author', name: 'Ada', fields: {} } as const
    const [first, second] = [await create.mutate(draft), await create.mutate(draft)]
    expect(second.id).toBe(first.id)
    expect(create.options.mutationKey).toEqual(['quire', 'items', 'create'])
  })
})

describe('invalidate', () => {
  it('fetches the queries again that an event affects, and no others', async () => {
    const { quire, queryClient, api } = await open()
    const a = await api.items.getBySlug({ ...inMagazine, slug: 'a' })
    const b = await api.items.getBySlug({ ...inMagazine, slug: 'b' })
    const observed = {
      list: new QueryObserver(queryClient, queryOptions(quire, 'items.list', articles)),
      a: new QueryObserver(queryClient, queryOptions(quire, 'items.get', slugOf(a))),
      b: new QueryObserver(queryClient, queryOptions(quire, 'items.get', slugOf(b))),
      roles: new QueryObserver(queryClient, queryOptions(quire, 'roles.list', {})),
    }
    for (const observer of Object.values(observed)) onTestFinished(observer.subscribe(() => undefined))
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))

    const stream = await quire.events.stream()
    await api.items.update({ ...slugOf(a), name: 'Another' })
    const invalidated: boolean[][] = []
    for await (const event of stream) {
      const done = invalidate(queryClient, [event])
      invalidated.push(Object.values(observed).map((observer) => observer.getCurrentResult().isFetching))
      await done
      break
    }
    expect(invalidated).toEqual([[true, true, false, false]])
    expect(observed.a.getCurrentResult().data?.name).toBe('Another')
    expect(observed.list.getCurrentResult().data?.items[0]?.name).toBe('Another')
  })
})

describe('queryKey', () => {
  it('is the beginning of the keys of a group, an operation or an input', async () => {
    const { quire, queryClient } = await open()
    await queryClient.fetchQuery(queryOptions(quire, 'items.list', articles))
    await queryClient.fetchInfiniteQuery(infiniteQueryOptions(quire, 'items.list', articles))
    await queryClient.fetchQuery(queryOptions(quire, 'roles.list', {}))
    const count = (key: readonly unknown[]) => queryClient.getQueryCache().findAll({ queryKey: key }).length
    expect(count(queryKey())).toBe(3)
    expect(count(queryKey('items'))).toBe(2)
    expect(count(queryKey('items.list', inMagazine))).toBe(2)
    expect(count(queryKey('items.list', { configId: 'another' }))).toBe(0)
  })
})

describe('the types', () => {
  const quire = {} as Client<ContentTypes>
  const plain = {} as Api
  // Only the types matter: without operations, every call fails.
  const data = () => ({
    one: new QueryClient().fetchQuery(queryOptions(quire, 'items.get', { ...inMagazine, id: '' })),
    articles: new QueryClient().fetchQuery(
      queryOptions(quire, 'items.list', { configId: 'magazine', type: 'article' }),
    ),
    pages: new QueryClient().fetchInfiniteQuery(
      infiniteQueryOptions(quire, 'published.items', { configId: 'magazine', type: 'author' }),
    ),
    any: new QueryClient().fetchQuery(queryOptions(plain, 'items.list', { configId: 'magazine', type: 'x' })),
    update: mutationOptions(quire, 'items.update').mutationFn,
    created: mutationOptions(plain, 'items.create').mutationFn,
  })
  type Data = { [M in keyof ReturnType<typeof data>]: Awaited<ReturnType<typeof data>[M]> }

  it('of data follow from the content types', () => {
    expect(data).toThrow(TypeError)
    expectTypeOf<Data['one']['type']>().toEqualTypeOf<'article' | 'author' | undefined>()
    expectTypeOf<Data['articles']['items'][number]>().toEqualTypeOf<ReadItemOf<ContentTypes, 'article'>>()
    type Author = Data['pages']['pages'][number]['items'][number]
    expectTypeOf<Author['fields']>().toEqualTypeOf<{ born?: number } | undefined>()
    expectTypeOf<NonNullable<Data['any']['items'][number]['fields']>>().toBeObject()
    expectTypeOf<Awaited<ReturnType<Data['created']>>>().toEqualTypeOf<Item>()
    expectTypeOf<Parameters<Data['update']>[0]['baseVersion']>().toEqualTypeOf<number | undefined>()
  })

  it('refuse what an operation does not have', () => {
    const refused = () => [
      // @ts-expect-error -- no such operation
      queryOptions(quire, 'items.gett', inMagazine),
      // @ts-expect-error -- it changes something
      queryOptions(quire, 'items.create', { repositoryId: 'magazine', type: 'article', name: 'A' }),
      // @ts-expect-error -- it returns bytes
      queryOptions(quire, 'assets.get', { ...inMagazine, assetId: '', rendition: 'card' }),
      // @ts-expect-error -- it returns a stream
      queryOptions(quire, 'events.stream', {}),
      // @ts-expect-error -- no such content type
      queryOptions(quire, 'items.list', { configId: 'magazine', type: 'artcle' }),
      // @ts-expect-error -- no id
      queryOptions(quire, 'items.get', inMagazine),
      // @ts-expect-error -- not a list
      infiniteQueryOptions(quire, 'items.get', { ...inMagazine, id: '' }),
      // @ts-expect-error -- it only reads
      mutationOptions(quire, 'items.list'),
    ]
    expect(refused).toThrow(TypeError)
  })
})
