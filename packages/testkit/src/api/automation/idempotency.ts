import type { AnswerInfo } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'
import { writesOfQueue } from './queue-idempotency.ts'
import { writesOfSites } from '../delivery/sites-idempotency.ts'
import {
  createStructure,
  rewritesOfStructure,
  structureOf,
  writesOfStructure,
} from '../content/structure-idempotency.ts'
import { writesOfWorkflow } from './workflow-idempotency.ts'

const configId = 'magazine'

/** Idempotency keys, If-Match, races and aborts. */
export function onceTests(bench: () => Bench): void {
  describe('concurrent and repeated calls', () => {
    beforeAll(() => prepareMagazine(bench().system))

    it('with the same Idempotency-Key take effect once', async () => {
      const { items, types, repositories, roles, serviceAccounts, ...others } = bench().api
      const { user, bundles, users, groups, security, admin } = others
      const input = anArticle({ name: 'Once' })
      const calls = Array.from({ length: 10 }, () => items.create(input, { idempotencyKey: 'key-1' }))
      const answers = await Promise.all(calls)
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      expect((await items.list({ configId, filter: { name: 'Once' } })).count).toBe(1)
      const { id } = answers[0] ?? { id: '' }
      const idempotencyKey = 'key-1'
      await allFailing(
        [
          items.create(anArticle({ name: 'Twice' }), { idempotencyKey }),
          items.copy({ configId, id }, { idempotencyKey }),
          items.move({ configId, id, folderId: null }, { idempotencyKey }),
          items.restore({ configId, id, version: 1 }, { idempotencyKey }),
          items.publish({ configId, id }, { idempotencyKey }),
          items.unpublish({ configId, id }, { idempotencyKey }),
          items.archive({ configId, id }, { idempotencyKey }),
          items.unarchive({ configId, id }, { idempotencyKey }),
          items.undelete({ configId, id }, { idempotencyKey }),
          items.bulk({ configId, action: 'publish', ids: [id] }, { idempotencyKey }),
          types.create({ name: 'once' }, { idempotencyKey }),
          types.lock({ id: 'article' }, { idempotencyKey }),
          repositories.create({ name: 'once' }, { idempotencyKey }),
          roles.create({ name: 'once' }, { idempotencyKey }),
          serviceAccounts.create({ name: 'once' }, { idempotencyKey }),
          serviceAccounts.addSecret({ id: 'SVCA_1' }, { idempotencyKey }),
          user.visit({ kind: 'repository', id: configId }, { idempotencyKey }),
          bundles.create({ id: 'bundle.once', name: 'once', permissions: [] }, { idempotencyKey }),
          users.create({ id: 'once@example.org', name: 'once' }, { idempotencyKey }),
          users.createSignInLink({ id: 'once@example.org' }, { idempotencyKey }),
          groups.create({ name: 'once' }, { idempotencyKey }),
          security.rotateKeys({}, { idempotencyKey }),
          admin.process({ id: configId, reloadGraph: true }, { idempotencyKey }),
          ...writesOfStructure(bench().api, { idempotencyKey }),
          ...writesOfQueue(bench().api, { idempotencyKey }),
          ...writesOfSites(bench().api, { idempotencyKey }),
          ...writesOfWorkflow(bench().api, { idempotencyKey }),
        ],
        'idempotency_mismatch',
      )
    })

    it('create a folder, a taxonomy, a category and a query once for concurrent requests with one key', async () => {
      const { folders, taxonomies, categories, savedQueries } = bench().api
      const taxonomy = await bench().system.taxonomies.create({ configId, name: 'Once and for all' })
      const inTaxonomy = { configId, taxonomyId: taxonomy.id, name: 'Once' }
      const calls = [
        () => folders.create({ configId, name: 'Once' }, { idempotencyKey: 'folder' }),
        () => taxonomies.create({ configId, name: 'Once' }, { idempotencyKey: 'taxonomy' }),
        () => categories.create(inTaxonomy, { idempotencyKey: 'category' }),
        () => savedQueries.create({ configId, name: 'once', query: {} }, { idempotencyKey: 'query' }),
      ]
      for (const call of calls) {
        const answers = await Promise.all([call(), call(), call()])
        expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      }
    })

    it('run again when they only read, whatever key they send', async () => {
      const { api } = bench()
      const name = 'Read by query'
      const ask = () => api.queries.run({ configId, text: '"read by query"' }, { idempotencyKey: 'key-3' })
      expect((await ask()).count).toBe(0)
      await api.items.create(anArticle({ name }))
      expect((await ask()).count).toBe(1)
    })

    it('may use a key again after a failure, and after a day', async () => {
      const { api, scope } = bench()
      const idempotencyKey = 'key-2'
      await failing(
        api.items.create(anArticle({ name: 'x', slug: 'once' }), { idempotencyKey }),
        'slug_taken',
      )
      const first = await api.items.create(anArticle({ name: 'Day' }), { idempotencyKey })
      scope.clock.advance(24 * 60 * 60 * 1000)
      const fresh = await bench().as({ bundles: ['bundle.administrator'] })
      const second = await fresh.items.create(anArticle({ name: 'Day' }), { idempotencyKey })
      expect(second.id).not.toBe(first.id)
    })

    it('refuse a stale If-Match and change nothing', async () => {
      const api = await bench().as({ bundles: ['bundle.administrator'] })
      const { items, repositories, types, roles, serviceAccounts, bundles, users, groups } = api
      const article = await items.create(anArticle({ name: 'Match', fields: { title: 'T' } }))
      const other = await items.create(anArticle({ name: 'Match', fields: { title: 'T' } }))
      await items.update({ configId, id: article.id, name: 'Matched' })
      const on = { configId, id: article.id }
      const ifMatch = `${article.id}.1`
      const repository = await repositories.create({ name: 'matching' })
      const type = await types.create({ name: 'matching' })
      const role = await roles.create({ name: 'matching' })
      const account = await serviceAccounts.create({ name: 'matching' })
      const bundle = await bundles.create({ id: 'bundle.matching', name: 'matching', permissions: [] })
      const user = await users.create({ id: 'matching@example.org', name: 'matching' })
      const group = await groups.create({ name: 'matching' })
      const structure = await createStructure(api)
      const stale = { ifMatch: 'stale' }
      await allFailing(
        [
          items.update({ ...on, name: 'x' }, { ifMatch }),
          items.delete(on, { ifMatch }),
          items.publish(on, { ifMatch }),
          items.unpublish(on, { ifMatch }),
          items.archive(on, { ifMatch }),
          items.unarchive(on, { ifMatch }),
          items.restore({ ...on, version: 1 }, { ifMatch }),
          items.move({ ...on, folderId: null }, { ifMatch }),
          items.categorize({ ...on, categoryId: 'CATG_1' }, { ifMatch }),
          items.decategorize({ ...on, categoryId: 'CATG_1' }, { ifMatch }),
          repositories.update({ id: repository.id }, stale),
          repositories.delete({ id: repository.id }, stale),
          types.update({ id: type.id }, stale),
          types.delete({ id: type.id }, stale),
          roles.update({ id: role.id }, stale),
          roles.delete({ id: role.id }, stale),
          serviceAccounts.update({ id: account.id }, stale),
          serviceAccounts.delete({ id: account.id }, stale),
          bundles.update({ id: bundle.id }, stale),
          bundles.delete({ id: bundle.id }, stale),
          users.update({ id: user.id }, stale),
          users.delete({ id: user.id }, stale),
          groups.update({ id: group.id }, stale),
          groups.delete({ id: group.id }, stale),
          ...rewritesOfStructure(api, structure, stale),
        ],
        'precondition_failed',
      )
      expect(await items.get(on)).toMatchObject({ name: 'Matched', latestVersion: 2 })
      expect(await structureOf(api, structure)).toEqual(structure)
      await items.update({ ...on, name: 'Fits' }, { ifMatch: `${article.id}.2` })
      await items.delete({ configId, id: other.id }, { ifMatch: '*' })
    })

    it('return the entity tag for If-Match, and whether the answer was replayed', async () => {
      const { items } = await bench().as({ bundles: ['bundle.administrator'] })
      const reported: AnswerInfo[] = []
      const onAnswer = (about: AnswerInfo) => reported.push(about)
      const create = () => items.create(anArticle({ name: 'Tagged' }), { idempotencyKey: 'tagged', onAnswer })
      const { id } = await create()
      await create()
      const etag = reported[0]?.etag ?? ''
      expect(reported).toEqual([
        { etag, replayed: false },
        { etag, replayed: true },
      ])
      await items.update({ configId, id, name: 'Changed' }, { ifMatch: etag, onAnswer })
      await failing(items.update({ configId, id, name: 'Late' }, { ifMatch: etag }), 'precondition_failed')
      await items.update({ configId, id, name: 'Again' }, { ifMatch: reported[2]?.etag ?? '' })
    })

    it('lose no update: each of fifty changes with the same base is applied or refused', async () => {
      const { items } = await bench().as({ bundles: ['bundle.administrator'] })
      const { id } = await items.create(anArticle({ name: 'Race', fields: { tags: [] } }))
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          items.update({ configId, id, name: `Race ${index}` }, { ifMatch: `${id}.1` }).then(
            () => 'won',
            (error: { code: string }) => error.code,
          ),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome === 'precondition_failed')).toHaveLength(49)
      expect(await items.get({ configId, id })).toMatchObject({ latestVersion: 2 })
    })

    it('end before they begin when aborted', async () => {
      const { items } = await bench().as({ bundles: ['bundle.administrator'] })
      const before = await items.list({ configId })
      await expect(
        items.create(anArticle({ name: 'Aborted' }), { signal: AbortSignal.abort() }),
      ).rejects.toMatchObject({ name: 'AbortError' })
      expect(await items.list({ configId })).toEqual(before)
    })
  })
}
