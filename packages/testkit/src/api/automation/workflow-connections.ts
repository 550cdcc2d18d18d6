import type { Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import { aConnection, act, definedAt, engineUrl, prepareReviews, underReview } from './workflow-steps.ts'

const repo = 'magazine'

type Change = Omit<Parameters<Api['workflowConnections']['update']>[0], 'id'>

/** Connections to engines and their secrets. */
export function workflowConnectionTests(bench: () => Bench): void {
  beforeAll(() => prepareReviews(bench().system))

  let made = 0
  const aName = () => `Named ${++made}`

  const connect = (given: Partial<ReturnType<typeof aConnection>> = {}) =>
    bench().api.workflowConnections.create({ ...aConnection(aName()), ...given })

  /** What was sent to the engine with the connection's credentials. */
  const triedWith = async (id: string) => {
    await bench().api.workflowConnections.test({ id })
    return bench().scope.outbound.sent.at(-1)
  }

  /** Everything that is stored and returned of a connection, as text. */
  const everywhere = async (id: string) => {
    const { api, scope } = bench()
    const entries = await scope.store.journal.readBack({ limit: 1000 })
    const stored = await scope.store.records.get('workflowConnection', id)
    const visible = [await api.workflowConnections.get({ id }), await api.workflowConnections.list()]
    return JSON.stringify([entries, stored, visible, (await api.activity.list({ configId: repo })).items])
  }

  describe('connections to engines', () => {
    it('are created, read, listed, changed and deleted, without showing secrets', async () => {
      const { api, scope } = bench()
      const { workflowConnections } = api
      const now = scope.clock.now()
      const name = aName()
      const callback = { apiKey: 'canary-callback-key', signingSecret: 'canary-signing-secret' }
      const connection = await connect({ name, auth: { kind: 'bearer', token: 'canary-token' }, callback })
      const { id } = connection
      expect(connection).toEqual({
        id: expect.stringMatching(/^CONN_/),
        name,
        baseUrl: engineUrl,
        callbackBaseUrl: 'https://quire.example.com',
        auth: { kind: 'bearer', token: '***' },
        callback: { apiKey: '***', signingSecret: '***' },
        allowedOrigins: [],
        timeoutMs: 10_000,
        createdDate: now,
        updatedDate: now,
      })
      expect(await workflowConnections.get({ id })).toEqual(connection)
      expect((await workflowConnections.list()).items).toContainEqual(connection)
      const visible = await workflowConnections.update({ ...connectionOf(connection), id, timeoutMs: 500 })
      expect(visible).toEqual({ ...connection, timeoutMs: 500 })
      expect((await triedWith(id))?.headers).toContainEqual(['authorization', 'Bearer canary-token'])
      expect(await everywhere(id)).not.toContain('canary-')
      await workflowConnections.delete({ id })
      const entries = await scope.store.journal.readBack({ limit: 3 })
      expect(entries.map(({ event, entityId }) => [event, entityId])).toEqual([
        ['WORKFLOW_CONNECTION_DELETED', id],
        ['WORKFLOW_CONNECTION_UPDATED', id],
        ['WORKFLOW_CONNECTION_CREATED', id],
      ])
      const gone = [
        workflowConnections.get({ id }),
        workflowConnections.update({ id, timeoutMs: 500 }),
        workflowConnections.delete({ id }),
        workflowConnections.test({ id }),
      ]
      await allFailing(gone, 'not_found')
    })

    it('say who we are in each of the ways that engines know', async () => {
      const { id } = await connect({ auth: { kind: 'basic', username: 'quire', password: 'canary-päss' } })
      const basic = basicOf('quire:canary-päss')
      expect((await triedWith(id))?.headers).toEqual([['authorization', basic]])
      const update = async (auth: NonNullable<Change['auth']>) => {
        const visible = await bench().api.workflowConnections.update({ id, auth })
        return [visible.auth, (await triedWith(id))?.headers]
      }
      expect(await update({ kind: 'basic', username: 'other', password: '***' })).toEqual([
        { kind: 'basic', username: 'other', password: '***' },
        [['authorization', basicOf('other:canary-päss')]],
      ])
      expect(await update({ kind: 'api_key', key: 'canary-key' })).toEqual([
        { kind: 'api_key', headerName: 'X-API-Key', key: '***' },
        [['X-API-Key', 'canary-key']],
      ])
      expect(await update({ kind: 'api_key', headerName: 'x-engine', key: '***' })).toEqual([
        { kind: 'api_key', headerName: 'x-engine', key: '***' },
        [['x-engine', 'canary-key']],
      ])
      expect(await update({ kind: 'none' })).toEqual([{ kind: 'none' }, []])
      expect(await everywhere(id)).not.toContain('canary-')
    })

    it('take no secret that was not set, and none that can be guessed', async () => {
      const { api, scope } = bench()
      const stored = async (call: Promise<unknown>) => {
        const before = (await api.workflowConnections.list()).count
        const paths = await invalidAt(call)
        expect((await api.workflowConnections.list()).count).toBe(before)
        return paths
      }
      const hidden = { apiKey: '***', signingSecret: '***' }
      expect(await stored(connect({ auth: { kind: 'bearer', token: '***' } }))).toEqual(['auth'])
      expect(await stored(connect({ callback: hidden }))).toEqual([
        'callback.apiKey',
        'callback.signingSecret',
      ])
      expect(await stored(connect({ callback: { apiKey: '15 characters..', signingSecret: null } }))).toEqual(
        ['callback.apiKey'],
      )
      expect(await stored(connect({ auth: { kind: 'bearer', token: 'two\nlines' } }))).toEqual(['auth.token'])
      expect(await stored(connect({ auth: { kind: 'api_key', headerName: 'Host', key: 'x' } }))).toEqual([
        'auth.headerName',
      ])
      const { id } = await connect({ auth: { kind: 'bearer', token: 'canary-token' } })
      const before = await scope.store.records.get('workflowConnection', id)
      const basic = { kind: 'basic', username: 'quire', password: '***' } as const
      expect(await invalidAt(api.workflowConnections.update({ id, auth: basic }))).toEqual(['auth'])
      expect(await scope.store.records.get('workflowConnection', id)).toEqual(before)
    })

    it('keep their secrets for the addresses that they were given for', async () => {
      const { api, scope } = bench()
      const { id } = await connect()
      const before = await scope.store.records.get('workflowConnection', id)
      const refused = (given: Change) => invalidAt(api.workflowConnections.update({ id, ...given }))
      const stored = { kind: 'bearer', token: '***' } as const
      const baseUrl = 'https://thief.example.com'
      const allowedOrigins = [baseUrl]
      expect(await refused({ baseUrl })).toEqual(['auth'])
      expect(await refused({ baseUrl, auth: stored })).toEqual(['auth'])
      expect(await refused({ allowedOrigins })).toEqual(['auth'])
      expect(await scope.store.records.get('workflowConnection', id)).toEqual(before)
      const auth = { kind: 'bearer', token: 'canary-anew' } as const
      expect(await api.workflowConnections.update({ id, allowedOrigins, auth })).toMatchObject({
        allowedOrigins,
      })
      // Changes that reach no further do not need the secrets again.
      const path = { baseUrl: `${engineUrl}/v2`, allowedOrigins: [] }
      expect(await api.workflowConnections.update({ id, ...path })).toMatchObject(path)
      expect((await triedWith(id))?.headers).toEqual([['authorization', 'Bearer canary-anew']])
      expect(await api.workflowConnections.update({ id, baseUrl, auth })).toMatchObject({ baseUrl })
    })

    it('are repaired, when their secrets cannot be decrypted, by setting all of them again', async () => {
      const { api, scope } = bench()
      const { id } = await connect()
      await scope.store.transaction(async ({ records }) => {
        const stored = await records.get('workflowConnection', id)
        if (!stored) throw new Error('It was created above.')
        const { revision, ...connection } = stored
        await records.put(
          'workflowConnection',
          { ...connection, sealedSecrets: 'sealed.elsewhere' },
          revision,
        )
      })
      const auth = { kind: 'bearer', token: 'canary-anew' } as const
      const callback = { apiKey: null, signingSecret: 'canary-signing-secret' }
      const refused = (given: Change) => invalidAt(api.workflowConnections.update({ id, ...given }))
      expect(await refused({ timeoutMs: 500 })).toEqual(['auth'])
      expect(await refused({ auth, callback: { signingSecret: callback.signingSecret } })).toEqual(['auth'])
      expect(await refused({ auth: { ...auth, token: '***' }, callback })).toEqual(['auth'])
      const repaired = await api.workflowConnections.update({ id, auth, callback })
      expect(repaired.callback).toEqual({ apiKey: null, signingSecret: '***' })
      expect((await triedWith(id))?.headers).toEqual([['authorization', 'Bearer canary-anew']])
    })

    it('are refused for addresses that nothing may be sent to', async () => {
      for (const baseUrl of [
        'http://127.0.0.1:9/',
        'http://[::1]/',
        'http://169.254.169.254/latest',
        'https://user:word@engine.example.com',
        'file:///etc/passwd',
        `${engineUrl}/?a=b`,
        `${engineUrl}/#a`,
        'engine',
      ])
        expect(await invalidAt(connect({ baseUrl })), baseUrl).toEqual(['baseUrl'])
      for (const callbackBaseUrl of ['quire', 'ftp://quire.example.com', 'https://a:b@quire.example.com'])
        expect(await invalidAt(connect({ callbackBaseUrl })), callbackBaseUrl).toEqual(['callbackBaseUrl'])
      for (const origin of ['https://tasks.example.com/', 'https://tasks.example.com/a', 'tasks', '*'])
        expect(await invalidAt(connect({ allowedOrigins: [origin] })), origin).toEqual(['allowedOrigins.0'])
      expect(await invalidAt(connect({ timeoutMs: 99 }))).toEqual(['timeoutMs'])
    })

    it('can be tested: whether the engine answers and accepts the credentials', async () => {
      const { workflowConnections } = bench().api
      const trying = async (path: string) => {
        const { id } = await connect({ baseUrl: `${engineUrl}${path}` })
        return workflowConnections.test({ id })
      }
      const ms = expect.any(Number)
      expect(await trying('')).toEqual({
        ok: true,
        status: 200,
        ms,
        message: 'The engine answered with 200.',
      })
      expect(await trying('/start/misses')).toMatchObject({ ok: true, status: 404 })
      expect(await trying('/start/refuses')).toMatchObject({
        ok: false,
        status: 422,
        message: 'The engine rejected the request with 422.',
      })
      // For example to a sign-in page: every action that is answered like this would be refused.
      expect(await trying('/start/redirects')).toMatchObject({
        ok: false,
        status: 302,
        message: expect.stringContaining('redirects are not followed'),
      })
      expect(await trying('/start/locks')).toEqual({
        ok: false,
        status: 401,
        ms,
        message: 'The engine answered with 401: it did not accept the credentials.',
      })
      expect(await trying('/start/fails')).toMatchObject({ ok: false, status: 500 })
      expect(await trying('/start/down')).toEqual({
        ok: false,
        status: null,
        ms,
        message: 'The host does not answer.',
      })
    })

    it('have unique names, and entity tags', async () => {
      const { workflowConnections } = bench().api
      const [one, two] = [await connect(), await connect()]
      await failing(connect({ name: one.name }), 'name_taken')
      await failing(workflowConnections.update({ id: two.id, name: one.name }), 'name_taken')
      const stale = { ifMatch: 'another' }
      await allFailing(
        [
          workflowConnections.update({ id: one.id, timeoutMs: 500 }, stale),
          workflowConnections.delete({ id: one.id }, stale),
        ],
        'precondition_failed',
      )
      expect(await workflowConnections.get({ id: one.id })).toEqual(one)
      let ifMatch = ''
      await workflowConnections.get({ id: one.id }, { onAnswer: ({ etag }) => (ifMatch = etag ?? '') })
      await workflowConnections.update({ id: one.id, timeoutMs: 500 }, { ifMatch })
      await failing(workflowConnections.delete({ id: one.id }, { ifMatch }), 'precondition_failed')
    })

    it('cannot be deleted while a definition or a running workflow uses them', async () => {
      const { api } = bench()
      const { id } = await connect()
      const definition = await definedAt(api, '/start', id)
      await failing(api.workflowConnections.delete({ id }), 'referenced')
      const { on } = await underReview(api, { workflowId: definition.id })
      await api.workflowDefinitions.delete({ id: definition.id })
      const { message } = await failing(api.workflowConnections.delete({ id }), 'referenced')
      expect(message).toContain('1 running workflow')
      // A workflow that was started before continues without its definition.
      await act(api, 'approve', { on })
      await act(api, 'approve', { on })
      await api.workflowConnections.delete({ id })
    })
  })
}

/** The members of a connection that can be sent back as they were shown. */
function connectionOf({
  id: _id,
  createdDate: _created,
  updatedDate: _updated,
  ...given
}: Awaited<ReturnType<Api['workflowConnections']['get']>>) {
  return given
}

/** Basic credentials (RFC 7617), of the text in UTF-8. */
function basicOf(text: string): string {
  return `Basic ${btoa(String.fromCodePoint(...new TextEncoder().encode(text)))}`
}
