import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'
import { allOf } from './following.ts'

const configId = 'magazine'
const day = 86_400_000

/** Jobs, and those who started them. */
export function ownJobTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  const article = (name: string) => bench().system.items.create(anArticle({ name, fields: { title: name } }))
  const publishJob = async (itemId: string) => {
    const { items } = await bench().system.queue.list({ kind: 'item.publish', state: 'queued' })
    return items.find(({ payload }) => payload['id'] === itemId) ?? expect.unreachable('it is queued')
  }

  describe('a job of one’s own', () => {
    it('shows a job to whoever started it, without the rights of the queue', async () => {
      const { as, scope } = bench()
      const repositoryId = (await article('Own')).repositoryId
      const keys = ['items.read', 'items.create', 'items.publish'] as const
      const [author, colleague] = [
        await as({ permissions: { repos: { [repositoryId]: [...keys] } } }),
        await as({ permissions: { repos: { [repositoryId]: [...keys] } } }),
      ]
      const { id } = await author.items.create(anArticle({ name: 'Planned' }))
      await author.items.publish({ configId, id, at: scope.clock.now() + day })
      const { id: jobId } = await publishJob(id)
      expect(await author.queue.get({ jobId })).toMatchObject({ id: jobId, state: 'queued' })
      await allFailing([colleague.queue.get({ jobId }), colleague.queue.watch({ jobId })], 'not_found')
      await allFailing(
        [author.queue.list(), author.queue.cancel({ jobId }), author.queue.retry({ jobId })],
        'forbidden',
      )
      const watched = allOf(await author.queue.watch({ jobId }))
      await bench().api.queue.cancel({ jobId })
      expect((await watched).at(-1)).toMatchObject({ id: jobId, state: 'cancelled' })
    })

    it('does not run for somebody who has got the address of its requester since', async () => {
      const { system, scope } = bench()
      const item = await article('Inherited')
      const { id: role } = await system.roles.create({
        name: 'Publishers of one',
        permissions: { repos: { [item.repositoryId]: ['items.read', 'items.publish'] } },
      })
      const id = 'eve@deckle.example'
      const eve = () => system.users.create({ id, name: 'Eve', roles: [role] })
      await eve()
      const asEve = scope.quire.as({ kind: 'user', id })
      await asEve.items.publish({ configId, id: item.id, at: scope.clock.now() + day })
      const { id: jobId } = await publishJob(item.id)
      expect(await asEve.queue.get({ jobId })).toMatchObject({ id: jobId })
      await system.users.delete({ id })
      scope.clock.advance(1000)
      await eve()
      await failing(asEve.queue.get({ jobId }), 'not_found')
      scope.clock.advance(day)
      // Queuing something makes the service look for due jobs.
      const { id: other } = await article('Another')
      await system.items.publish({ configId, id: other, at: scope.clock.now() + day })
      await scope.quire.settled()
      expect(await system.queue.get({ jobId })).toMatchObject({ state: 'failed' })
      expect(await system.items.get({ configId, id: item.id })).toMatchObject({ isPublished: false })
      await system.users.delete({ id })
    })
  })
}
