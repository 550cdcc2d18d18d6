import type { Api } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { aModel } from './ai.ts'
import { failing } from '../failing.ts'
import type { Bench } from '../host.ts'

const messages = [{ role: 'user', content: 'What is ink?' }]

/** What a caller may use of a language model. */
export function aiBudgetTests(bench: () => Bench): void {
  const aUser = async (): Promise<Api> => bench().as({ permissions: { global: ['ai.use'] } })
  const atTheHour = () => {
    const { clock } = bench().scope
    clock.advance(3_600_000 - (clock.now() % 3_600_000))
  }
  const ask = async (api: Api, accessId: string, more: object = {}): Promise<string> =>
    (await api.ai.chat({ accessId, model: 'small', messages, ...more })).text()

  describe('a budget', () => {
    it('of requests stops them, and is renewed when its period is over', async () => {
      const { api, scope } = bench()
      const accessId = await aModel(api, { budget: { requests: 3, per: 'hour' } })
      const user = await aUser()
      atTheHour()
      await ask(user, accessId)
      await user.ai.embeddings({ accessId, model: 'small', input: 'x' })
      await user.ai.models({ accessId })
      scope.clock.advance(60_000)
      const error = await failing(ask(user, accessId), 'too_many_requests')
      expect(error.details).toEqual({ retryAfter: 3540 })
      await failing(user.ai.embeddings({ accessId, model: 'small', input: 'x' }), 'too_many_requests')
      await failing(user.ai.models({ accessId }), 'too_many_requests')
      expect(await ask(await aUser(), accessId)).toContain('Ink.')
      scope.clock.advance(3_540_000)
      expect(await ask(user, accessId)).toContain('Ink.')
    })

    it.each([
      ['as the answer tells', {}],
      ['as the last event tells, which is asked for', { stream: true }],
    ])('of tokens counts them %s', async (_, more) => {
      const { api } = bench()
      const accessId = await aModel(api, { budget: { tokens: 20, per: 'day' } })
      const user = await aUser()
      atTheHour()
      for (const time of [1, 2]) expect(await ask(user, accessId, more), `time ${time}`).toContain('Ink.')
      await failing(ask(user, accessId, more), 'too_many_requests')
    })

    it.each([
      ['where nobody tells them', { model: 'silent' }],
      ['where the caller asks not to be told', { stream: true, stream_options: { include_usage: false } }],
    ])('of tokens estimates them %s', async (_, more) => {
      const { api, scope } = bench()
      const accessId = await aModel(api, { budget: { tokens: 5, per: 'month' } })
      const user = await aUser()
      expect(await ask(user, accessId, more)).toContain('Ink.')
      expect(JSON.parse(String(scope.outbound.sent.at(-1)?.body))).toMatchObject(more)
      const { details } = await failing(ask(user, accessId, more), 'too_many_requests')
      expect(details?.['retryAfter']).toBeGreaterThan(0)
    })

    it('of tokens is spent by callers who disconnect before the count is reported', async () => {
      const { api } = bench()
      const accessId = await aModel(api, { budget: { tokens: 5, per: 'month' } })
      const user = await aUser()
      const answer = await user.ai.chat({ accessId, model: 'small', messages, stream: true })
      await answer.stream().cancel()
      await expect.poll(() => ask(user, accessId).then(String, String)).toContain('budget')
    })

    it('is not spent on what the upstream refuses', async () => {
      const { api } = bench()
      const accessId = await aModel(api, { budget: { tokens: 5, per: 'month' } })
      const user = await aUser()
      for (let time = 0; time < 3; time += 1)
        expect(await ask(user, accessId, { model: 'status 400' })).toContain('no')
      expect(await ask(user, accessId)).toContain('Ink.')
    })
  })
}
