import { journalEvents, QuireError, type Api, type EventMessage } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { QueryClient } from '@tanstack/query-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { followEvents, isAffected, queryKey } from './index.ts'

const magazine = { id: 'REPO_A', name: 'magazine' }
const atlas = { id: 'REPO_B', name: 'atlas' }
const inMagazine = { configId: 'magazine' }

/** An event about an item of the magazine, on main. */
const event = (changes: Partial<EventMessage> = {}) => ({
  event: 'ITEM_UPDATED',
  repositoryId: magazine.id,
  packageName: null,
  entityId: 'CONT_A',
  ...changes,
})

const isOneAffected = (name: Parameters<typeof queryKey>[0], input: object, about = event()) =>
  isAffected(queryKey(name, input), about, [magazine, atlas])

describe('isAffected', () => {
  it('is true for a read of the item and for lists, false for another item', () => {
    expect(isOneAffected('items.get', { ...inMagazine, id: 'CONT_A' })).toBe(true)
    expect(isOneAffected('items.get', { ...inMagazine, id: 'CONT_B' })).toBe(false)
    expect(isOneAffected('items.list', inMagazine)).toBe(true)
    expect(isOneAffected('items.getBySlug', { ...inMagazine, slug: 'b' })).toBe(true)
    expect(isAffected([...queryKey('items.list', inMagazine), 'pages'], event())).toBe(true)
  })

  it('is true for another item that includes what it refers to', () => {
    expect(isOneAffected('items.get', { ...inMagazine, id: 'CONT_B', include: ['author'] })).toBe(true)
  })

  it.each([
    ['configId', 'items.list'],
    ['repo', 'packages.changes'],
    ['repositoryId', 'autoPackageRules.list'],
  ] as const)('compares repositories by id or by name, as %s', (member, name) => {
    const about = event({ event: name.startsWith('auto') ? 'AUTO_PACKAGE_RULE_UPDATED' : 'ITEM_UPDATED' })
    const affected = (ref: string, known = [magazine, atlas]) =>
      isAffected(queryKey(name, { [member]: ref }), about, known)
    expect(['REPO_A', 'magazine', 'REPO_B', 'atlas', 'third'].map((ref) => affected(ref))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    // A name that nobody explained can be that of any repository.
    expect(['REPO_B', 'third'].map((ref) => affected(ref, []))).toEqual([false, true])
    expect(['atlas', 'third'].map((ref) => affected(ref, [atlas]))).toEqual([false, true])
  })

  it('distinguishes branches: main affects packages, a package only itself and its lists', () => {
    const winter = event({ packageName: 'winter' })
    const inWinter = { ...inMagazine, packageName: 'winter' }
    expect(isOneAffected('items.list', inWinter)).toBe(true)
    expect(isOneAffected('items.list', inWinter, winter)).toBe(true)
    expect(isOneAffected('items.list', inMagazine, winter)).toBe(false)
    expect(isOneAffected('items.list', { ...inMagazine, packageName: 'summer' }, winter)).toBe(false)
    expect(isOneAffected('packages.list', { repo: 'magazine' }, winter)).toBe(true)
    expect(isOneAffected('published.items', inMagazine, winter)).toBe(false)
  })

  it('distinguishes events about a package itself from those about what is in it', () => {
    const removed = event({ event: 'PACKAGE_CHANGE_REMOVED', entityId: 'PACK_A' })
    expect(isOneAffected('items.list', inMagazine, removed)).toBe(false)
    expect(isOneAffected('items.list', { ...inMagazine, packageName: 'winter' }, removed)).toBe(true)
    expect(isOneAffected('packages.list', { repo: 'magazine' }, removed)).toBe(true)
    expect(isOneAffected('workflow.inbox', { repo: 'magazine' }, removed)).toBe(true)
  })

  it('is false for queries of other sources and of groups without events', () => {
    expect(isAffected(['todos', 'items', 'list', inMagazine], event())).toBe(false)
    expect(isOneAffected('roles.list', {})).toBe(false)
    expect(isOneAffected('queue.get', { jobId: 'JOBS_A' })).toBe(false)
  })

  it('knows every event of a repository', () => {
    const withoutStream =
      /^(?:TYPE|ROLE|BUNDLE|USER|GROUP|SESSION|SIGN|SIGNING|SERVER|SERVICE|ACCESS|WORKFLOW|SETTINGS|AGENT)_/
    const unknown = journalEvents
      .filter((name) => !withoutStream.test(name))
      .filter((name) => !isOneAffected('activity.list', inMagazine, event({ event: name })))
    expect(unknown).toEqual([])
  })

  it('is false for published content only where nothing published has changed', async () => {
    const quire = createQuire({ store: createMemoryStore() })
    onTestFinished(() => quire.close())
    const api = quire.as(systemIdentity('test'))
    const { id: repositoryId } = await api.repositories.create({ name: 'magazine', public: true })
    await api.types.create({ name: 'note', fields: [] })
    const { id: folderId } = await api.folders.create({ configId: 'magazine', name: 'F' })
    const role = await api.roles.create({ name: 'Staff', bundles: [] })
    const { id } = await api.items.create({ repositoryId, type: 'note', name: 'Published' })
    const at = { configId: 'magazine', id }
    await api.items.publish(at)
    const read = async () => JSON.stringify(await api.published.items({ ...inMagazine, folderId }))
    const readAll = async () => JSON.stringify([await read(), await api.published.items(inMagazine)])
    const before = await readAll()
    await api.items.update({ ...at, name: 'Draft', slug: 'draft', folderId, readPerm: [role.id] })
    await api.items.create({ repositoryId, type: 'note', name: 'Another' })
    expect(await readAll()).toBe(before)
    expect(isOneAffected('published.items', inMagazine, event({ event: 'ITEM_UPDATED' }))).toBe(false)
    await api.items.publish(at)
    expect(await readAll()).not.toBe(before)
    expect(isOneAffected('published.items', inMagazine, event({ event: 'ITEM_PUBLISHED' }))).toBe(true)
  })
})

it('a merge has an event for each item that it changes on main, and publishes', async () => {
  const quire = createQuire({ store: createMemoryStore() })
  onTestFinished(() => quire.close())
  const api = quire.as(systemIdentity('test'))
  const { id: repositoryId } = await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'note', fields: [] })
  const { id } = await api.items.create({ repositoryId, type: 'note', name: 'Note' })
  const winter = { repo: 'magazine', packageName: 'winter' }
  await api.packages.create({ repo: 'magazine', name: 'winter' })
  await api.items.update({ configId: 'magazine', packageName: 'winter', id, name: 'In winter' })
  const stream = await api.events.stream({})
  await api.packages.merge({ ...winter, publish: true })
  await api.folders.create({ configId: 'magazine', name: 'Last' })
  const events: EventMessage[] = []
  for await (const about of stream) {
    if (about.event === 'FOLDER_CREATED') break
    events.push(about)
  }
  const areAffected = [
    queryKey('items.get', { configId: repositoryId, id }),
    queryKey('published.itemBySlug', { configId: repositoryId, slug: 'note' }),
    queryKey('packages.list', { repo: repositoryId }),
    queryKey('items.get', { configId: repositoryId, id: 'CONT_B' }),
  ].map((key) => events.some((about) => isAffected(key, about)))
  expect(areAffected).toEqual([true, true, true, false])
})

/** A stream of these events that then stays open, ends, or fails. */
async function* streamOf(ids: readonly string[], end?: 'ends' | Error, signal?: AbortSignal) {
  for (const id of ids) yield event({ id }) as EventMessage
  if (end instanceof Error) throw end
  if (end === undefined) await new Promise((_, reject) => signal?.addEventListener('abort', reject))
}

/** Follows one scripted stream after the other. The last one stays open. */
function follow(...streams: readonly (readonly [readonly string[], ('ends' | Error)?])[]) {
  const queryClient = new QueryClient()
  const keys = [queryKey('items.list', inMagazine), queryKey('users.list', {})]
  const left = [...streams]
  const stream = vi.fn<Api['events']['stream']>(async (_, options) => {
    const [ids, end] = left.shift() ?? [[]]
    return streamOf(ids, end, options?.signal)
  })
  for (const key of keys) queryClient.setQueryData(key, {})
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const options = { signal: leaving.signal, repositories: [magazine], retryMs: 1 }
  const invalidateQueries = vi.spyOn(queryClient, 'invalidateQueries')
  const done = followEvents({ events: { stream } }, queryClient, options)
  const state = () => keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)
  return { stream, done, leaving, invalidateQueries, state }
}

describe('followEvents', () => {
  it('invalidates what many events affect at once', async () => {
    const { state, invalidateQueries, stream } = follow([['1', '2', '3']])
    await vi.waitFor(() => expect(state()).toEqual([true, false]))
    expect(invalidateQueries).toHaveBeenCalledTimes(1)
    expect(stream.mock.calls[0]?.[0]).toEqual({ repositories: ['REPO_A'] })
  })

  it('continues after the last event when the stream ends or breaks', async () => {
    const broken = new QuireError('unavailable')
    const { stream } = follow([['1', '2'], 'ends'], [[], broken], [['3'], 'ends'], [[]])
    await vi.waitFor(() => expect(stream).toHaveBeenCalledTimes(4))
    const after = stream.mock.calls.map(([input]) => input?.lastEventId)
    expect(after).toEqual([undefined, '2', '2', '3'])
  })

  it('invalidates everything when it cannot know what it missed', async () => {
    const { state } = follow([[], 'ends'], [[]])
    await vi.waitFor(() => expect(state()).toEqual([true, true]))
  })

  it('ends without an error when it is left', async () => {
    const { done, leaving, stream } = follow([[]])
    await vi.waitFor(() => expect(stream).toHaveBeenCalled())
    leaving.abort()
    await expect(done).resolves.toBeUndefined()
  })

  it('fails when the stream would be refused again', async () => {
    const { done } = follow([[], new QuireError('unauthorized')])
    await expect(done).rejects.toMatchObject({ code: 'unauthorized' })
  })
})
