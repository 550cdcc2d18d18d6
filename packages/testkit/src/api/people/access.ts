import type { AnswerInfo } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'

const absent = 'ACCS_00000000000000000000000000'
const secret = 'CANARY-4fJ7kZ0qV2xW8yB6nD1mT3rH'

/**
 * Values that would reach the network, or services behind it, through a header (TRUST S01, S12).
 */
const spoilt = [
  [{ baseUrl: 'ftp://api.example.com' }, ['baseUrl']],
  [{ baseUrl: 'http://127.0.0.1:8080/v1' }, ['baseUrl']],
  [{ baseUrl: 'http://169.254.169.254/latest' }, ['baseUrl']],
  [{ baseUrl: 'https://ada:pw@api.example.com' }, ['baseUrl']],
  [{ baseUrl: 'https://api.example.com/v1?key=1' }, ['baseUrl']],
  [{ baseUrl: 'https://api.example.com/v1#x' }, ['baseUrl']],
  [{ apiKey: '' }, ['apiKey']],
  [{ apiKey: 'a\r\nx-evil: 1' }, ['apiKey']],
  [{ apiKey: 'x', auth: { kind: 'none' } }, ['auth']],
  [{ auth: { kind: 'bearer', token: 'a\nb' } }, ['auth.token']],
  [{ auth: { kind: 'bearer' } }, ['auth.token']],
  [{ auth: { kind: 'basic', username: 'a:b', password: 'x' } }, ['auth.username']],
  [{ auth: { kind: 'api_key', headerName: 'Host', key: 'x' } }, ['auth.headerName']],
  [{ auth: { kind: 'api_key', headerName: 'a b', key: 'x' } }, ['auth.headerName']],
  [{ auth: { kind: 'api_key', key: 'ä' } }, ['auth.key']],
  [{ auth: { kind: 'digest' } }, ['auth.kind']],
  [{ auth: { kind: 'none', token: 'x' } }, ['auth.token']],
  [{ allowedMethods: ['CONNECT'] }, ['allowedMethods.0']],
  [{ allowedPaths: ['v1'] }, ['allowedPaths.0']],
  [{ allowedPaths: ['/v1/../admin'] }, ['allowedPaths.0']],
  [{ allowedPaths: ['/%2e%2e/admin'] }, ['allowedPaths.0']],
  [{ timeoutMs: 99 }, ['timeoutMs']],
  [{ maxBytes: 0 }, ['maxBytes']],
  [{ budget: { requests: 5 } }, ['budget.per']],
  [{ budget: { per: 'day', euros: 5 } }, ['budget.euros']],
  [{ id: absent }, ['id']],
  [{ createdDate: 5 }, ['createdDate']],
  [{ dryRun: true }, ['dryRun']],
  [{ apiKey: '***' }, ['apiKey']],
  [{ provider: { keys: ['***'] } }, ['provider.keys.0']],
  [{ notes: 'x'.repeat(64 * 1024) }, ['']],
] as const

/** Access configurations (specification 2.17 and 4.4). */
export function accessTests(bench: () => Bench): void {
  describe('access configurations', () => {
    it('are stored with an id, and with whatever their provider needs', async () => {
      const { access, admin } = bench().api
      const plain = await admin.generateKey({ name: 'Archive', type: 's3' })
      expect(plain).toEqual({
        id: expect.stringMatching(/^ACCS_/),
        name: 'Archive',
        type: 's3',
        createdDate: bench().scope.clock.now(),
      })
      const sent = {
        name: 'Model',
        type: 'openai',
        baseUrl: 'https://api.example.com/v1',
        allowedMethods: ['GET', 'POST'] as const,
        allowedPaths: ['/models', '/chat/**'],
        timeoutMs: 30_000,
        maxBytes: 1_000_000,
        budget: { requests: 100, tokens: 5000, per: 'hour' as const },
        organization: 'org-41',
        options: { regions: ['eu', 'us'], isFast: true, weight: 1.5, none: null },
      }
      const made = await admin.generateKey({ ...sent, allowedMethods: [...sent.allowedMethods] })
      const { id, createdDate: _createdDate, ...visible } = made
      expect(visible).toEqual(sent)
      expect(await access.get({ id })).toEqual(made)
      const { items, count } = await access.list()
      expect(items).toContainEqual(made)
      expect(items).toContainEqual(plain)
      expect(count).toBe(items.length)
      await access.delete({ id: plain.id })
      expect((await access.list()).items).not.toContainEqual(plain)
    })

    it('are listed in pages', async () => {
      const { access, admin } = bench().api
      for (const name of ['One', 'Two', 'Three']) await admin.generateKey({ name, type: 'http' })
      const { items } = await access.list()
      const first = await access.list({ limit: 2 })
      expect(first.items).toEqual(items.slice(0, 2))
      const rest = await access.list({ cursor: first.nextCursor ?? '' })
      expect(rest.items).toEqual(items.slice(2))
      expect(await invalidAt(access.list({ limit: 0 }))).toEqual(['limit'])
      expect(await invalidAt(access.list({ cursor: 'x' }))).toEqual(['cursor'])
    })

    it('show no secret in any answer, log or stored data', async () => {
      const { api, scope } = bench()
      const made = [
        await api.admin.generateKey({ name: 'Key', type: 'openai', apiKey: secret }),
        await api.admin.generateKey({
          name: 'Bearer',
          type: 'http',
          auth: { kind: 'bearer', token: secret },
        }),
        await api.admin.generateKey({
          name: 'Basic',
          type: 'http',
          auth: { kind: 'basic', username: 'ada', password: secret },
        }),
        await api.admin.generateKey({ name: 'Header', type: 'http', auth: { kind: 'api_key', key: secret } }),
        await api.admin.generateKey({
          name: 'Provider',
          type: 's3',
          accessKeyId: secret,
          nested: [{ client_secret: secret, region: 'eu' }],
          headers: { accept: secret },
          endpoint: `https://ada:${secret}@s3.example.com`,
        }),
      ]
      expect(made.map(({ apiKey, auth }) => apiKey ?? auth)).toEqual([
        '***',
        { kind: 'bearer', token: '***' },
        { kind: 'basic', username: 'ada', password: '***' },
        { kind: 'api_key', headerName: 'X-API-Key', key: '***' },
        undefined,
      ])
      expect(made.at(-1)).toMatchObject({
        accessKeyId: '***',
        nested: [{ client_secret: '***', region: 'eu' }],
        headers: { accept: '***' },
        endpoint: '***',
      })
      for (const one of made) {
        expect(await api.access.get({ id: one.id })).toEqual(one)
        await api.access.delete({ id: one.id })
      }
      const reported = [
        made,
        await api.access.list(),
        await api.security.audit({ limit: 100 }),
        await scope.store.journal.read({ after: 0, limit: 1000 }),
        await scope.store.records.list('accessConfiguration'),
      ]
      expect(JSON.stringify(reported)).not.toContain(secret)
    })

    it.each(spoilt)('are refused with %j', async (members, paths) => {
      const { access, admin } = bench().api
      const before = await access.list()
      const sent = { name: 'Spoilt', type: 'http', ...members } as Parameters<typeof admin.generateKey>[0]
      expect(await invalidAt(admin.generateKey(sent))).toEqual(paths)
      expect(await access.list()).toEqual(before)
    })

    it('need a name and a type', async () => {
      const { admin } = bench().api
      expect(await invalidAt(admin.generateKey({ name: '', type: '' }))).toEqual(['name', 'type'])
      expect(await invalidAt(admin.generateKey({} as never))).toEqual(['name', 'type'])
      expect(await invalidAt(admin.generateKey({ name: 'x', type: 'y'.repeat(101) }))).toEqual(['type'])
    })

    it('are recorded in the security audit, with their old values', async () => {
      const { api } = bench()
      const { id } = await api.admin.generateKey({ name: 'Audited', type: 'http', apiKey: secret })
      await api.access.delete({ id })
      const { items } = await api.security.audit({ limit: 2 })
      const { identity } = await api.auth.myPermissions()
      expect(items).toMatchObject([
        {
          event: 'ACCESS_CONFIGURATION_DELETED',
          entityType: 'accessConfiguration',
          entityId: id,
          user: { userName: identity.id },
          changed: { name: { from: 'Audited', to: null }, apiKey: { from: '***', to: null } },
        },
        {
          event: 'ACCESS_CONFIGURATION_CREATED',
          entityId: id,
          changed: { name: { from: null, to: 'Audited' }, apiKey: { from: null, to: '***' } },
        },
      ])
    })

    it('are created once per Idempotency-Key, and deleted with a current If-Match', async () => {
      const { access, admin } = bench().api
      const idempotencyKey = 'access-once'
      const reported: AnswerInfo[] = []
      const made = await admin.generateKey({ name: 'Once', type: 'http' }, { idempotencyKey })
      expect(await admin.generateKey({ name: 'Once', type: 'http' }, { idempotencyKey })).toEqual(made)
      await failing(
        admin.generateKey({ name: 'Twice', type: 'http' }, { idempotencyKey }),
        'idempotency_mismatch',
      )
      const { id } = await access.get({ id: made.id }, { onAnswer: (about) => reported.push(about) })
      await failing(access.delete({ id }, { ifMatch: 'stale' }), 'precondition_failed')
      await access.delete({ id }, { ifMatch: reported[0]?.etag ?? '' })
      await allFailing([access.get({ id }), access.delete({ id }), access.get({ id: absent })], 'not_found')
    })

    it('require their keys, which only the administrator’s bundle has', async () => {
      const { api, as } = bench()
      const { id } = await api.admin.generateKey({ name: 'Guarded', type: 'http' })
      const viewer = await as({ permissions: { global: ['admin.access.view'] } })
      expect((await viewer.access.get({ id })).name).toBe('Guarded')
      const editor = await as({ permissions: { global: ['admin.access.update'] } })
      const developer = await as({ bundles: ['bundle.developer'] })
      await allFailing(
        [
          viewer.access.delete({ id }),
          viewer.admin.generateKey({ name: 'x', type: 'http' }),
          editor.access.list(),
          editor.access.get({ id }),
          developer.access.list(),
          developer.access.get({ id: absent }),
          developer.access.delete({ id }),
          developer.admin.generateKey({ name: 'x', type: 'http' }),
        ],
        'forbidden',
      )
      await allFailing(
        [bench().anonymous.access.list(), bench().anonymous.admin.generateKey({ name: 'x', type: 'http' })],
        'unauthorized',
      )
      await editor.access.delete({ id })
    })
  })
}
