import type { Api, Streamed } from '@quire/contract'
import { fixedClock } from '@quire/core/memory'
import { describe, expect, it } from 'vitest'
import { createQuire, systemIdentity, type Quire, type QuireOptions, type Principal } from '../../index.ts'
import { WithCookie } from '../../engine/answer.ts'
import { createMemoryStore } from '../../memory/index.ts'
import { StoreUnavailable, type JournalReader, type Store } from '../../ports/index.ts'

async function open(options: Partial<QuireOptions> = {}) {
  const store = createMemoryStore()
  const clock = fixedClock()
  const quire = createQuire({ store, clock, ...options })
  const api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'note', fields: [] })
  const role = await api.roles.create({ name: 'Readers', bundles: ['bundle.viewer'] })
  const { id } = await api.serviceAccounts.create({ name: 'Reader', roles: [role.id] })
  return { quire, api, store, clock, reader: { kind: 'service', id } as const }
}

const write = (api: Api, name: string) => api.items.create({ repositoryId: 'magazine', type: 'note', name })

/** The store with another journal. */
function withJournal(store: Store, read: JournalReader['read']): Store {
  return { ...store, journal: { ...store.journal, read } }
}

async function namesOf(stream: Streamed<{ event: string }>): Promise<string[]> {
  const names: string[] = []
  for await (const { event } of stream) names.push(event)
  return names
}

/** Signs in as a browser does. */
async function sessionOf(quire: Quire, principal: Principal): Promise<Principal> {
  const answer = await quire.run({ group: 'auth', operation: 'openSession', principal, input: {} })
  return quire.authenticate(answer instanceof WithCookie ? answer.cookie.value : '')
}

describe('a stream of events ends', () => {
  it('with the token of its reader', async () => {
    const { quire, api, clock, reader } = await open()
    const stream = await quire.as({ ...reader, expires: clock.now() + 1000 }).events.stream()
    const names = namesOf(stream)
    await write(api, 'in time')
    await new Promise((resolve) => setTimeout(resolve, 100))
    clock.advance(1000)
    await write(api, 'late')
    expect(await names).toEqual(['ITEM_CREATED'])
  })

  it('with the session of its reader', async () => {
    const { quire, clock, reader } = await open()
    const browser = await sessionOf(quire, { ...reader, expires: clock.now() + 3_600_000 })
    const names = namesOf(await quire.as(browser).events.stream())
    await quire.as(browser).auth.closeSession()
    expect(await names).toEqual([])
  })

  it('when the engine stops', async () => {
    const { quire, reader } = await open()
    const names = namesOf(await quire.as(reader).events.stream())
    await quire.close()
    expect(await names).toEqual([])
  })

  it('with the error of its store, which is logged once', async () => {
    const store = createMemoryStore()
    let isBroken = false
    const broken = withJournal(store, async (query) => {
      if (isBroken) throw new StoreUnavailable('busy', 'the disk is away')
      return store.journal.read(query)
    })
    const logged: string[] = []
    const log = { write: (_level: string, event: string) => void logged.push(event) }
    const { api, quire, reader } = await open({ store: broken, log })
    const stream = await quire.as(reader).events.stream()
    isBroken = true
    await expect(namesOf(stream)).rejects.toMatchObject({
      code: 'unavailable',
      requestId: expect.any(String),
    })
    expect(logged).toEqual(['call.failed'])
    isBroken = false
    await expect(api.events.stream()).resolves.toBeDefined()
  })
})

describe('a stream of events', () => {
  it('sees what other processes write', async () => {
    const { quire, api, store, reader } = await open()
    const elsewhere = createQuire({ store }).as(systemIdentity('elsewhere'))
    const stream = (await quire.as(reader).events.stream())[Symbol.asyncIterator]()
    const first = stream.next()
    await write(elsewhere, 'elsewhere')
    expect((await first).value).toMatchObject({
      event: 'ITEM_CREATED',
      user: { userName: 'system:elsewhere' },
    })
    await write(api, 'here')
    expect((await stream.next()).value).toMatchObject({ user: { userName: 'system:test' } })
    await stream.return?.()
  })

  it('reads the journal only as fast as its reader', async () => {
    const store = createMemoryStore()
    let reads = 0
    const counted = withJournal(store, (query) => {
      reads += 1
      return store.journal.read(query)
    })
    const { quire, api, reader } = await open({ store: counted })
    const stream = (await quire.as(reader).events.stream())[Symbol.asyncIterator]()
    for (let count = 0; count < 500; count++) await write(api, `Note ${count}`)
    await stream.next()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(reads).toBe(1)
    await stream.return?.()
  })
})
