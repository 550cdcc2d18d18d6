import { TokenError } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { everything, newAccount, type Bench } from '../host.ts'

const grant_type = 'client_credentials'

/** Tokens, keys and what the caller may do. */
export function authTests(bench: () => Bench): void {
  const refused = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(TokenError)
    return error instanceof TokenError ? { status: error.status, error: error.message } : null
  }

  describe('tokens', () => {
    it('are issued to a service account for an hour', async () => {
      const { system, api, scope } = bench()
      const { id, secret } = await newAccount(system, everything)
      const token = await api.auth.token({ grant_type, client_id: id, client_secret: secret })
      expect(token).toEqual({ access_token: expect.any(String), expires_in: 3600, token_type: 'Bearer' })
      const claims = JSON.parse(
        Buffer.from(token.access_token.split('.')[1] ?? '', 'base64url').toString(),
      ) as Readonly<Record<string, unknown>>
      // RFC 9068 §2.2.
      expect(Object.keys(claims)).toEqual(
        expect.arrayContaining(['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti']),
      )
      expect(claims).toMatchObject({ sub: id, client_id: id })
      const principal = await scope.quire.authenticate(token.access_token)
      expect(principal).toMatchObject({ kind: 'service', id })
      const [used] = (await system.serviceAccounts.get({ id })).secrets
      expect(used?.lastUsedDate).toBe(scope.clock.now())
    })

    it('get the same answer for an unknown id and a wrong secret', async () => {
      const { system, api } = bench()
      const { id } = await newAccount(system, everything)
      const invalid = { status: 401, error: 'invalid_client' }
      expect(await refused(api.auth.token({ grant_type, client_id: id, client_secret: 'wrong' }))).toEqual(
        invalid,
      )
      expect(
        await refused(api.auth.token({ grant_type, client_id: 'SVCA_nobody', client_secret: 'wrong' })),
      ).toEqual(invalid)
      expect(await refused(api.auth.token({ grant_type }))).toEqual(invalid)
    })

    it('are not issued for another grant type', async () => {
      const wrong = await refused(bench().api.auth.token({ grant_type: 'password' }))
      const error = 'unsupported_grant_type: only client_credentials is supported'
      expect(wrong).toEqual({ status: 400, error })
      expect(await refused(bench().api.auth.token({}))).toEqual({ status: 400, error })
    })

    it('end with their hour, their account, its secret or its permissions', async () => {
      const { system, api, scope } = bench()
      const { id, secret, roleId } = await newAccount(system, everything)
      const newToken = async () =>
        (await api.auth.token({ grant_type, client_id: id, client_secret: secret })).access_token
      let token = await newToken()
      const call = async () => scope.quire.as(await scope.quire.authenticate(token)).types.list()
      await call()
      await system.roles.update({ id: roleId, bundles: [] })
      await failing(call(), 'forbidden')
      await system.roles.update({ id: roleId, bundles: ['bundle.viewer'] })
      await call()
      await system.serviceAccounts.update({ id, enabled: false })
      await failing(call(), 'unauthorized')
      expect(
        await refused(api.auth.token({ grant_type, client_id: id, client_secret: secret })),
      ).toMatchObject({ status: 401 })
      await system.serviceAccounts.update({ id, enabled: true })
      await failing(call(), 'unauthorized')
      token = await newToken()
      await call()
      const { secrets } = await system.serviceAccounts.addSecret({ id })
      await system.serviceAccounts.removeSecret({ id, secretId: secrets[0]?.id ?? '' })
      await failing(call(), 'unauthorized')
    })

    it('expire', async () => {
      const { system, api, scope } = bench()
      const { id, secret } = await newAccount(system, everything)
      const { access_token } = await api.auth.token({ grant_type, client_id: id, client_secret: secret })
      scope.clock.advance(3_600_000 - 1)
      await scope.quire.authenticate(access_token)
      scope.clock.advance(10_000)
      await expect(scope.quire.authenticate(access_token)).rejects.toMatchObject({ code: 'unauthorized' })
    })

    it('can be verified with published keys', async () => {
      const { api } = bench()
      const { keys } = await api.auth.keys()
      expect(keys).toEqual([
        expect.objectContaining({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' }),
      ])
      expect(keys[0]).not.toHaveProperty('d')
      const metadata = await api.auth.metadata()
      expect(metadata.token_endpoint).toBe(`${metadata.issuer}/oauth2/token`)
    })
  })

  describe('my permissions', () => {
    it('are the union of what the roles grant', async () => {
      const { as } = bench()
      const api = await as({
        bundles: ['bundle.contributor'],
        permissions: { repos: { REPO_1: ['items.publish'], 'REPO_2:article': ['items.delete'] }, sites: {} },
        overrides: { grant: ['items.archive'], revoke: ['items.create'] },
      })
      const mine = await api.auth.myPermissions()
      expect(mine.identity).toMatchObject({ kind: 'service' })
      expect(mine.roles).toHaveLength(1)
      expect(mine.global).toEqual(expect.arrayContaining(['items.read', 'items.update', 'items.archive']))
      expect(mine.global).not.toContain('items.create')
      expect(mine.repos).toEqual({ REPO_1: ['items.publish'], 'REPO_2:article': ['items.delete'] })
    })

    it('explain what grants or withholds a key', async () => {
      const { as } = bench()
      const api = await as({
        bundles: ['bundle.contributor'],
        permissions: { repos: { REPO_1: ['items.create'] } },
        overrides: { revoke: ['items.create'] },
      })
      const anywhere = await api.auth.myPermissions({ explain: 'items.create' })
      const [role] = anywhere.roles
      expect(anywhere.explanation).toEqual({
        key: 'items.create',
        allowed: false,
        allowedInPackages: false,
        grants: [],
        withheld: [{ role, source: 'bundle.contributor' }],
      })
      const there = await api.auth.myPermissions({ explain: 'items.create', repo: 'REPO_1' })
      expect(there.explanation).toMatchObject({
        allowed: true,
        grants: [{ role, via: [], source: 'permissions.repos.REPO_1' }],
      })
    })
  })
}
