import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { articlesOnMain, inPackage, newPackage } from './package-steps.ts'
import { type Bench } from '../host.ts'

const repo = 'magazine'
const configId = repo

/** Comments on packages. */
export function packageCommentTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))
  const anArticleOnMain = articlesOnMain(bench)

  /** A package that changes an article. */
  const changed = async () => {
    const ref = await newPackage(bench().api)
    const item = await anArticleOnMain('Ink')
    await bench().api.items.update({ ...inPackage(item, ref.packageName), name: 'Ink that lasts' })
    return { ref, item }
  }

  describe('comments on a package', () => {
    it('are about the package, an entity or a member of it, and are listed oldest first', async () => {
      const { api, scope } = bench()
      const { ref, item } = await changed()
      const whole = await api.packages.addComment({ ...ref, body: '  A good issue\n<b>so far</b> ' })
      expect(whole).toEqual({
        id: expect.stringMatching(/^CMNT_/),
        repositoryId: (await api.packages.get(ref)).repositoryId,
        packageName: ref.packageName,
        body: 'A good issue\n<b>so far</b>',
        entity: null,
        path: null,
        parentId: null,
        decision: null,
        state: 'open',
        createdDate: scope.clock.now(),
        createdByUser: whole.createdByUser,
        updatedDate: scope.clock.now(),
        resolvedDate: null,
        resolvedByUser: null,
      })
      expect(whole.createdByUser.userName).toMatch(/^SVCA_/)
      const onItem = await api.packages.addComment({ ...ref, body: 'Which ink?', entityId: item.id })
      const entity = { kind: 'item', id: item.id, name: 'Ink that lasts', type: 'article', slug: item.slug }
      expect(onItem).toMatchObject({ entity, path: '' })
      const path = 'fields.title'
      const asked = { ...ref, body: 'Shorter?', entityId: item.id, path }
      const onMember = await api.packages.addComment(asked, { program: 'translator 2' })
      expect(onMember).toMatchObject({ entity, path, program: 'translator 2' })
      expect(await api.packages.comments(ref)).toEqual({ count: 3, items: [whole, onItem, onMember] })
      const first = await api.packages.comments({ ...ref, entityId: item.id, limit: 1 })
      expect(first).toMatchObject({ count: 2, items: [onItem] })
      const second = await api.packages.comments({ ...ref, entityId: item.id, cursor: first.nextCursor })
      expect(second).toEqual({ count: 2, items: [onMember] })
      await invalidAt(api.packages.comments({ ...ref, cursor: 'x' }))
    })

    it('are answered, on one level, and an answer has the state of its comment', async () => {
      const { api } = bench()
      const { ref, item } = await changed()
      const about = { entityId: item.id, path: 'name' }
      const comment = await api.packages.addComment({ ...ref, body: 'Why?', ...about })
      const answer = await api.packages.addComment({ ...ref, body: 'It does.', parentId: comment.id })
      expect(answer).toMatchObject({ parentId: comment.id, entity: comment.entity, path: 'name' })
      const other = await newPackage(api)
      const elsewhere = await api.packages.addComment({ ...other, body: 'Elsewhere' })
      const refused = {
        parentId: [{ parentId: answer.id }, { parentId: elsewhere.id }, { parentId: 'CMNT_none' }],
        entityId: [{ parentId: comment.id, entityId: item.id }, { entityId: 'CONT_none' }],
        path: [{ parentId: comment.id, path: 'name' }, { path: 'name' }],
        decision: [{ parentId: comment.id, decision: 'request' as const }],
        body: [{ body: '' }, { body: ' ' }, { body: 'x'.repeat(10_001) }],
      }
      for (const [member, inputs] of Object.entries(refused))
        for (const input of inputs)
          expect(await invalidAt(api.packages.addComment({ ...ref, body: 'x', ...input }))).toEqual([member])
      const untouched = await anArticleOnMain('Untouched')
      expect(await invalidAt(api.packages.addComment({ ...ref, body: 'x', entityId: untouched.id }))).toEqual(
        ['entityId'],
      )
      const resolved = await api.packages.updateComment({ ...ref, id: comment.id, state: 'resolved' })
      expect((await api.packages.comments({ ...ref, state: 'resolved' })).items).toEqual([
        resolved,
        {
          ...answer,
          state: 'resolved',
          resolvedDate: resolved.resolvedDate,
          resolvedByUser: resolved.resolvedByUser,
        },
      ])
      expect((await api.packages.comments({ ...ref, state: 'open' })).count).toBe(0)
      expect(await invalidAt(api.packages.updateComment({ ...ref, id: answer.id, state: 'open' }))).toEqual([
        'state',
      ])
    })

    it('are resolved and opened again by all who comment, and changed only by their author', async () => {
      const { api, as, scope } = bench()
      const { ref } = await changed()
      const { id, ...comment } = await api.packages.addComment({ ...ref, body: 'Tpyo' })
      const contributor = await as({ bundles: ['bundle.contributor'] })
      const resolved = await contributor.packages.updateComment({ ...ref, id, state: 'resolved' })
      const { identity } = await contributor.auth.myPermissions()
      expect(resolved).toMatchObject({
        ...comment,
        state: 'resolved',
        updatedDate: expect.any(Number),
        resolvedDate: scope.clock.now(),
        resolvedByUser: { userName: identity.id },
      })
      const opened = await contributor.packages.updateComment({ ...ref, id, state: 'open' })
      expect(opened).toMatchObject({ state: 'open', resolvedDate: null, resolvedByUser: null })
      await failing(contributor.packages.updateComment({ ...ref, id, body: 'Typo' }), 'forbidden')
      expect((await api.packages.updateComment({ ...ref, id, body: 'Typo' })).body).toBe('Typo')
      expect(await api.packages.updateComment({ ...ref, id })).toMatchObject({ body: 'Typo', state: 'open' })
      await failing(api.packages.updateComment({ ...ref, id: 'CMNT_none', body: 'x' }), 'not_found')
    })

    it('are in the log without their text, and sent once with an Idempotency-Key', async () => {
      const { api } = bench()
      const { ref, item } = await changed()
      const once = { idempotencyKey: 'comment-1' }
      const asked = { ...ref, body: 'Secret words', entityId: item.id }
      const comment = await api.packages.addComment(asked, once)
      expect(await api.packages.addComment(asked, once)).toEqual(comment)
      await failing(api.packages.addComment({ ...ref, body: 'Other' }, once), 'idempotency_mismatch')
      expect((await api.packages.comments(ref)).count).toBe(1)
      const { id: entityId } = await api.packages.get(ref)
      const { items } = await api.activity.list({ configId, entityId, event: 'PACKAGE_COMMENTED' })
      expect(items).toHaveLength(1)
      expect(JSON.stringify(items)).not.toContain('Secret')
    })

    it('stay with a merged package, and are deleted with it', async () => {
      const { api } = bench()
      const { ref } = await changed()
      await api.packages.addComment({ ...ref, body: 'Before' })
      await api.packages.merge(ref)
      await api.packages.addComment({ ...ref, body: 'After' })
      expect((await api.packages.comments(ref)).count).toBe(2)
      await api.packages.delete(ref)
      await allFailing(
        [
          api.packages.comments(ref),
          api.packages.addComment({ ...ref, body: 'x' }),
          api.packages.updateComment({ ...ref, id: 'CMNT_none' }),
        ],
        'not_found',
      )
      await api.packages.create({ repo, name: ref.packageName })
      expect((await api.packages.comments(ref)).count).toBe(0)
    })

    it('have an end: the error says what to do', async () => {
      const { api, system } = bench()
      const { ref } = await changed()
      const { id } = await api.packages.addComment({ ...ref, body: 'Why?' })
      const body = 'x'.repeat(10_000)
      for (let n = 0; n < 99; n++) await system.packages.addComment({ ...ref, body })
      await api.packages.addComment({ ...ref, body: body.slice(4) })
      const tooLong = [
        api.packages.addComment({ ...ref, body: 'x' }),
        api.packages.updateComment({ ...ref, id, body: 'Why so?' }),
      ]
      for (const call of tooLong)
        expect((await failing(call, 'invalid_state')).message).toMatch(/1000000 characters.*Merge it/)
      await api.packages.updateComment({ ...ref, id, body: 'Why', state: 'resolved' })
    })
  })

  describe('who may comment', () => {
    it('leaves half of the room to people if it is an agent', async () => {
      const { api, as } = bench()
      const { ref } = await changed()
      const agent = await as({ bundles: ['bundle.contributor'], branchOnly: true })
      const body = 'x'.repeat(10_000)
      for (let n = 0; n < 50; n++) await agent.packages.addComment({ ...ref, body })
      await failing(agent.packages.addComment({ ...ref, body: 'x' }), 'invalid_state')
      const { decision } = await api.packages.addComment({
        ...ref,
        body: 'Enough',
        decision: 'requestChanges',
      })
      expect(decision).toBe('requestChanges')
    })

    it('takes back no approval of a package of others without the key to merge', async () => {
      const { api, as } = bench()
      const { ref } = await changed()
      const request = { ...ref, body: 'Again?', decision: 'request' as const }
      const contributor = await as({ bundles: ['bundle.contributor'] })
      await contributor.packages.addComment(request)
      await api.packages.addComment({ ...ref, body: 'Yes', decision: 'approve' })
      await failing(contributor.packages.addComment(request), 'forbidden')
      expect((await api.packages.get(ref)).review).toMatchObject({ state: 'approved' })
      const own = await newPackage(contributor)
      await api.packages.addComment({ ...own, body: 'Yes', decision: 'approve' })
      await contributor.packages.addComment({ ...request, ...own })
      expect((await api.packages.get(own)).review).toMatchObject({ state: 'requested' })
    })

    it('may not approve or request changes without the key to merge', async () => {
      const { api, as } = bench()
      const { ref } = await changed()
      const contributor = await as({ bundles: ['bundle.contributor'] })
      const viewer = await as({ bundles: ['bundle.viewer'] })
      const agent = await as({ bundles: ['bundle.administrator'], branchOnly: true })
      for (const caller of [contributor, agent]) {
        const asked = await caller.packages.addComment({ ...ref, body: 'Please', decision: 'request' })
        expect(asked.decision).toBe('request')
        for (const decision of ['approve', 'requestChanges'] as const)
          await failing(caller.packages.addComment({ ...ref, body: 'x', decision }), 'forbidden')
      }
      await failing(viewer.packages.addComment({ ...ref, body: 'x' }), 'forbidden')
      expect((await viewer.packages.comments(ref)).count).toBe(2)
      for (const decision of ['requestChanges', 'approve'] as const)
        expect(await api.packages.addComment({ ...ref, body: 'x', decision })).toMatchObject({ decision })
    })

    it('sees no comment on what they may not read, also once it is gone', async () => {
      const { api, system, as } = bench()
      const { id: role } = await system.roles.create({ name: 'Readers of secrets' })
      const ref = await newPackage(api)
      const { packageName } = ref
      const secret = await system.items.create(anArticle({ name: 'Secret', packageName, readPerm: [role] }))
      const comment = await api.packages.addComment({ ...ref, body: 'Hush', entityId: secret.id })
      await api.packages.addComment({ ...ref, body: 'Hush', parentId: comment.id })
      const contributor = await as({ bundles: ['bundle.contributor'] })
      const unseen = async () => {
        expect(await contributor.packages.comments(ref)).toEqual({ count: 0, items: [] })
        const { id } = comment
        await failing(contributor.packages.updateComment({ ...ref, id, state: 'resolved' }), 'not_found')
        const about = [{ entityId: secret.id }, { parentId: id }]
        for (const input of about)
          await invalidAt(contributor.packages.addComment({ ...ref, body: 'x', ...input }))
      }
      await unseen()
      await api.packages.removeChange({ ...ref, entityId: secret.id })
      await unseen()
      expect((await api.packages.comments(ref)).items.map(({ entity }) => entity?.name)).toEqual([
        'Secret',
        'Secret',
      ])
    })
  })
}
