import type { Api } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { anIntegration } from './integrations.ts'
import type { Bench } from '../host.ts'
import { upstream } from './upstream.ts'

/** Creates an access configuration for the suite's language model. */
export async function aModel(api: Api, more: object = {}): Promise<string> {
  const { id } = await api.admin.generateKey({
    name: 'Model',
    type: 'openai',
    baseUrl: `${upstream}/v1`,
    apiKey: 'sk-CANARY',
    ...more,
  })
  return id
}

const messages = [{ role: 'user', content: 'What is ink?' }]

/** Language models that are called through the service. */
export function aiTests(bench: () => Bench): void {
  describe('a language model', () => {
    it('gets its caller’s request unchanged, and its answer is returned unchanged', async () => {
      const { api, scope } = bench()
      const accessId = await aModel(api)
      const question = {
        model: 'small',
        messages,
        temperature: 0.5,
        tools: [{ type: 'function' }],
        user: null,
      }
      const answer = await api.ai.chat({ accessId, ...question })
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({ 'content-type': 'application/json' })
      expect(await answer.json()).toMatchObject({
        choices: [{ message: { content: 'Ink.' } }],
        asked: question,
      })
      const sent = scope.outbound.sent.at(-1)
      expect(sent).toMatchObject({ method: 'POST', url: `${upstream}/v1/chat/completions` })
      expect(Object.fromEntries(sent?.headers ?? [])).toEqual({
        accept: 'application/json',
        authorization: 'Bearer sk-CANARY',
        'content-type': 'application/json',
      })
    })

    it('answers with events on request', async () => {
      const { api } = bench()
      const answer = await api.ai.chat({
        accessId: await aModel(api),
        model: 'small',
        messages,
        stream: true,
      })
      expect(answer.headers).toEqual({ 'content-type': 'text/event-stream' })
      const text = await answer.text()
      expect(text).toContain('"content":"Ink."')
      expect(text).toMatch(/data: \[DONE\]\n\n$/)
      // Without a budget, nothing is added to the caller's request.
      expect(text).not.toContain('include_usage')
    })

    it('is by default that of the configuration, and required if that has none', async () => {
      const { api, scope } = bench()
      const accessId = await aModel(api, { model: 'of the configuration' })
      const asked = { asked: { model: 'of the configuration' } }
      expect(await (await api.ai.chat({ accessId, messages })).json()).toMatchObject(asked)
      expect(await (await api.ai.embeddings({ accessId, input: 'x' })).json()).toMatchObject(asked)
      await (await api.ai.chat({ accessId, messages, stream: true })).text()
      expect(JSON.parse(String(scope.outbound.sent.at(-1)?.body))).toMatchObject({
        model: 'of the configuration',
        stream: true,
      })
      const without = await aModel(api)
      const sent = scope.outbound.sent.length
      expect(await invalidAt(api.ai.chat({ accessId: without, messages }))).toEqual(['model'])
      expect(await invalidAt(api.ai.embeddings({ accessId: without, input: 'x' }))).toEqual(['model'])
      expect(scope.outbound.sent).toHaveLength(sent)
    })

    it('makes embeddings, and lists its models', async () => {
      const { api } = bench()
      const accessId = await aModel(api)
      const input = ['oak', 'gall']
      const vectors = await api.ai.embeddings({ accessId, model: 'small', input, dimensions: 1 })
      expect(await vectors.json()).toEqual({
        data: [{ embedding: [0.5] }],
        asked: { model: 'small', input, dimensions: 1 },
      })
      expect(await (await api.ai.models({ accessId })).json()).toEqual({ data: [{ id: 'small' }] })
    })

    it.each([400, 404, 429, 500])('that answers with status %i has its answer returned', async (status) => {
      const { api } = bench()
      const answer = await api.ai.chat({ accessId: await aModel(api), model: `status ${status}`, messages })
      expect(answer.status).toBe(status)
      expect(await answer.json()).toEqual({ error: { message: 'no' } })
    })

    it.each([401, 403])('that refuses our key with %i causes an upstream error', async (status) => {
      const { api } = bench()
      const input = { accessId: await aModel(api), model: `status ${status}`, messages }
      await failing(api.ai.chat(input), 'upstream_failed')
    })

    it('that cannot be reached causes an error', async () => {
      const { api } = bench()
      const late = await aModel(api)
      await failing(api.ai.chat({ accessId: late, model: 'late', messages }), 'upstream_timeout')
      for (const [where, code] of [
        ['down', 'upstream_failed'],
        ['late', 'upstream_timeout'],
      ] as const) {
        const accessId = await aModel(api, { baseUrl: `${upstream}/${where}`, model: 'small' })
        await failing(api.ai.chat({ accessId, messages }), code)
        await failing(api.ai.embeddings({ accessId, input: 'x' }), code)
        await failing(api.ai.models({ accessId }), code)
      }
    })

    it.each([
      [{ messages: [] }, ['messages']],
      [{ messages: 'hello' }, ['messages']],
      [{ messages, model: 5 }, ['model']],
      [{ messages, dryRun: true }, ['dryRun']],
    ])('is not asked %j', async (input, paths) => {
      const { api, scope } = bench()
      const accessId = await aModel(api)
      const before = scope.outbound.sent.length
      expect(await invalidAt(api.ai.chat({ accessId, ...input } as never))).toEqual(paths)
      expect(scope.outbound.sent.length).toBe(before)
    })

    it('is only found with its own type of access configuration', async () => {
      const { api } = bench()
      for (const accessId of ['ACCS_NONE', await anIntegration(api)]) {
        await failing(api.ai.chat({ accessId, messages }), 'not_found')
        await failing(api.ai.embeddings({ accessId, input: 'x' }), 'not_found')
        await failing(api.ai.models({ accessId }), 'not_found')
      }
    })

    it('is listed without address and credentials', async () => {
      const { api, as } = bench()
      const id = await aModel(api, { name: 'Listed', model: 'small' })
      const contributor = await as({ bundles: ['bundle.contributor'] })
      const { items } = await contributor.ai.providers()
      expect(items).toContainEqual({ id, name: 'Listed', model: 'small' })
      expect(JSON.stringify(items)).not.toMatch(/CANARY|example/)
      expect(items.some(({ name }) => name === 'Upstream')).toBe(false)
    })

    it('requires the key on all repositories', async () => {
      const { api, as, system, anonymous } = bench()
      const accessId = await aModel(api)
      const { id } = await system.repositories.create({ name: 'with-models' })
      const calls = ({ ai }: Api) => [
        ai.providers(),
        ai.chat({ accessId, messages }),
        ai.embeddings({ accessId, input: 'x' }),
        ai.models({ accessId }),
      ]
      const viewer = await as({ bundles: ['bundle.viewer'] })
      const inRepository = await as({ permissions: { repos: { [id]: ['ai.use'] } } })
      await allFailing([...calls(viewer), ...calls(inRepository)], 'forbidden')
      await allFailing(calls(anonymous), 'unauthorized')
    })
  })
}
