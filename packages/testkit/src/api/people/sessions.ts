import { describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import type { Bench } from '../host.ts'

/** Sessions and sign-ins, as far as they work without a browser. */
export function sessionTests(bench: () => Bench): void {
  describe('a session', () => {
    it('is open until the token expires, and can be closed', async () => {
      const { api, asUser } = bench()
      await api.users.create({ id: 'browser@example.org', name: 'Browser' })
      const { auth } = asUser('browser@example.org')
      const { expiresAt, identity } = await auth.openSession()
      expect(identity).toEqual({ kind: 'user', id: 'browser@example.org', name: 'Browser' })
      expect(expiresAt).toBeGreaterThan(bench().scope.clock.now())
      expect(await auth.closeSession()).toBeUndefined()
    })

    it('belongs to an account: the process itself has none', async () => {
      await failing(bench().system.auth.openSession(), 'invalid_state')
    })

    it('begins with a link that works once and within 15 minutes', async () => {
      const { api, anonymous, scope } = bench()
      const id = 'linked@example.org'
      await api.users.create({ id, name: 'Linked' })
      const ticketOf = async () =>
        new URL((await api.users.createSignInLink({ id })).url).searchParams.get('ticket') ?? ''
      const ticket = await ticketOf()
      const { location } = await anonymous.auth.login({ ticket, returnTo: '/welcome?to=you' })
      expect(new URL(location).pathname).toBe('/welcome')
      await failing(anonymous.auth.login({ ticket }), 'unauthorized')
      await failing(anonymous.auth.login({ ticket: 'made-up' }), 'unauthorized')
      const late = await ticketOf()
      scope.clock.advance(15 * 60_000)
      await failing(anonymous.auth.login({ ticket: late }), 'unauthorized')
      const disabled = await ticketOf()
      await api.users.update({ id, enabled: false })
      await api.users.update({ id, enabled: true })
      await failing(anonymous.auth.login({ ticket: disabled }), 'unauthorized')
    })

    it('only redirects to this service', async () => {
      const { anonymous } = bench()
      for (const returnTo of [
        '//evil',
        '/\\evil',
        'https:evil',
        '/\u0009/evil',
        'javascript:alert(1)',
        'x',
        '',
      ])
        await failing(anonymous.auth.login({ returnTo }), 'invalid')
    })

    it('needs a configured provider to start there', async () => {
      const { anonymous } = bench()
      await failing(anonymous.auth.login(), 'not_found')
      await failing(anonymous.auth.callback({ state: 'x', code: 'y' }), 'not_found')
    })
  })
}
