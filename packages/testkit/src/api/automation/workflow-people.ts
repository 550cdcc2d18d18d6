import type { Api, QuireError } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing } from '../failing.ts'
import type { Bench } from '../host.ts'
import {
  act,
  aDraft,
  definedAt,
  infoOf,
  packageOf,
  prepareReviews,
  underReview,
  type Reviewed,
} from './workflow-steps.ts'

const repo = 'magazine'
const reviewer = ['items.read', 'packages.view', 'workflow.act'] as const

/** Reviewers: the groups of a step, its assignee, and who may do what. */
export function workflowPeopleTests(bench: () => Bench): void {
  beforeAll(() => prepareReviews(bench().system))

  let made = 0

  /** A new group whose members may review in the magazine, or may do nothing. */
  const aGroup = async (keys: readonly (typeof reviewer)[number][] = reviewer) => {
    const { system } = bench()
    const { id: repositoryId } = await system.repositories.get({ id: repo })
    const permissions = { repos: { [repositoryId]: [...keys] } }
    const role = await system.roles.create({ name: `Desk ${++made}`, permissions })
    const { id } = await system.groups.create({ name: `Desk ${made}`, roles: [role.id] })
    return id
  }

  const aUser = async (groups: readonly string[], enabled = { enabled: true }) => {
    const id = `reviewer-${++made}@example.org`
    await bench().system.users.create({ id, name: `Reviewer ${made}`, groups: [...groups], ...enabled })
    return { id, api: bench().asUser(id), ref: { userName: id, displayName: `Reviewer ${made}`, email: id } }
  }

  /** A package whose first step the engine restricts to some groups, and optionally one person. */
  const reviewBy = async (query: string) => {
    const { system, api } = bench()
    const { id: workflowId } = await definedAt(system, `/start/any?${query}`)
    const { on } = await aDraft(api)
    await act(api, 'start', { on, workflowId })
    return on
  }

  const whyNot = async (call: Promise<unknown>) => (await failing(call, 'workflow_failed')).message

  const assign = (api: Api, on: Reviewed, userName: string) =>
    act(api, 'assign', { on, assignee: { userName } })

  describe('the steps of a review', () => {
    it('only name groups that may see packages of the repository', async () => {
      const { api, system } = bench()
      const role = await system.roles.create({
        name: 'Views all',
        permissions: { global: ['items.read', 'packages.view'] },
      })
      const outer = await system.groups.create({ name: 'Views all', roles: [role.id] })
      const inner = await system.groups.create({ name: 'Inside', groups: [outer.id] })
      const desk = await aGroup()
      const blind = await aGroup(['items.read', 'workflow.act'])
      const on = await reviewBy(`groups=${[desk, blind, 'GRUP_NONE', outer.id, inner.id].join(',')}`)
      const info = await infoOf(api, on)
      expect(info?.steps.map(({ assignedGroups }) => assignedGroups)).toEqual([
        [desk, outer.id, inner.id],
        [],
      ])
    })
  })

  describe('the assignee of a step', () => {
    it('must be in one of its groups, and may see packages', async () => {
      const { api, scope } = bench()
      const desk = await aGroup()
      const on = await reviewBy(`groups=${desk}`)
      const inside = await aUser([desk])
      const outside = await aUser([await aGroup()])
      const blind = await aUser([await aGroup(['items.read', 'workflow.act'])])
      const gone = await aUser([desk], { enabled: false })
      const before = await infoOf(api, on)
      const asked = scope.outbound.sent.length
      expect(await whyNot(assign(api, on, outside.id))).toContain(
        'none of the groups of the step "editorial"',
      )
      for (const { id } of [blind, gone, { id: 'nobody@example.org' }])
        expect(await whyNot(assign(api, on, id))).toContain(`There is no account "${id}"`)
      expect(await infoOf(api, on)).toEqual(before)
      const { message, workflowInfo } = await act(api, 'assign', {
        on,
        assignee: { userName: inside.id, displayName: 'A name of their own' },
        comment: 'You know it',
      })
      expect(message).toContain('The step was assigned')
      expect(workflowInfo?.assignee).toEqual(inside.ref)
      expect(workflowInfo?.history.at(-1)).toEqual({
        timestamp: scope.clock.now(),
        action: 'assign',
        fromStep: 'editorial',
        toStep: 'editorial',
        user: (await packageOf(api, on)).createdByUser,
        comment: 'You know it',
      })
      expect(scope.outbound.sent).toHaveLength(asked)
      expect(await packageOf(api, on)).toMatchObject({ state: 'inReview' })
    })

    it('can be anyone who may see packages if the step has no groups, even a service account', async () => {
      const { api, as } = bench()
      const { on } = await underReview(api)
      const viewer = await as({ permissions: { global: ['items.read', 'packages.view'] } })
      const { id } = (await viewer.auth.myPermissions()).identity
      const { workflowInfo } = await assign(api, on, id)
      expect(workflowInfo?.assignee).toMatchObject({ userName: id })
      const { workflowInfo: next } = await act(api, 'approve', { on })
      expect(next).not.toHaveProperty('assignee')
    })
  })

  describe('in a step', () => {
    it('only its groups may act while nobody is assigned, and afterwards only the assignee', async () => {
      const { api } = bench()
      const desk = await aGroup()
      const on = await reviewBy(`groups=${desk}`)
      const [one, two, outside] = [await aUser([desk]), await aUser([desk]), await aUser([await aGroup()])]
      const before = await infoOf(api, on)
      expect(await whyNot(act(outside.api, 'approve', { on }))).toContain('none of the groups')
      expect(await infoOf(api, on)).toEqual(before)
      await assign(api, on, one.id)
      expect(await whyNot(act(two.api, 'approve', { on }))).toContain(`is assigned to ${one.ref.displayName}`)
      const { workflowInfo } = await act(one.api, 'approve', { on })
      expect(workflowInfo).toMatchObject({ currentStep: 'legal' })
      expect(workflowInfo?.history.at(-1)).toMatchObject({ action: 'approve', user: one.ref })
      // The next step has no assignee and is open to anyone.
      await act(outside.api, 'approve', { on })
      expect(await infoOf(api, on)).toMatchObject({ status: 'completed' })
    })

    it('members of the groups may act, and so may anyone who may assign', async () => {
      const { as } = bench()
      const desk = await aGroup()
      const member = await aUser([desk])
      const first = await reviewBy(`groups=${desk}`)
      await act(member.api, 'approve', { on: first })
      const second = await reviewBy(`groups=${desk}&assignee=${member.id}`)
      const chief = await as({ bundles: ['bundle.publisher'] })
      const { workflowInfo } = await act(chief, 'approve', { on: second })
      expect(workflowInfo).toMatchObject({ currentStep: 'legal' })
    })

    it('the engine may name the assignee', async () => {
      const { api } = bench()
      const desk = await aGroup()
      const named = await aUser([desk])
      const other = await aUser([desk])
      const on = await reviewBy(`groups=${desk}&assignee=${named.id}`)
      expect(await infoOf(api, on)).toMatchObject({ assignee: { userName: named.id } })
      expect((await named.api.workflow.inbox({ repo, assignee: 'me' })).items).toHaveLength(1)
      expect(await whyNot(act(other.api, 'approve', { on }))).toContain('is assigned to')
      await act(named.api, 'approve', { on })
    })
  })

  describe('the inbox', () => {
    it('has the reviews that one may act in: as assignee, as a member of a group, or when open to anyone', async () => {
      const { as, api } = bench()
      const [desk, other] = [await aGroup(), await aGroup()]
      const [one, two] = [await aUser([desk]), await aUser([desk])]
      const ours = await reviewBy(`groups=${desk}`)
      const mine = await reviewBy(`groups=${desk}&assignee=${one.id}`)
      const theirs = await reviewBy(`groups=${other}`)
      const restricted = await reviewBy('groups=GRUP_NONE')
      const anybodys = await reviewBy('')
      const all = [ours, mine, theirs, restricted, anybodys].map(({ packageName }) => packageName)
      const names = async (principal: Api, mayAct: boolean) => {
        const { items } = await principal.workflow.inbox({ repo, mayAct, limit: 1000 })
        const found = items.map((review) => review.package.name)
        return all.filter((name) => found.includes(name))
      }
      const namesOf = (...reviews: readonly Reviewed[]) => reviews.map(({ packageName }) => packageName)
      expect(await names(one.api, true)).toEqual(namesOf(ours, mine, anybodys))
      expect(await names(two.api, true)).toEqual(namesOf(ours, anybodys))
      expect(await names(one.api, false)).toEqual(namesOf(theirs, restricted))
      const chief = await as({ bundles: ['bundle.publisher'] })
      expect(await names(chief, true)).toEqual(all)
      const viewer = await as({ permissions: { global: ['items.read', 'packages.view'] } })
      expect(await names(viewer, true)).toEqual([])
      await act(chief, 'approve', { on: ours })
      await act(chief, 'approve', { on: ours })
      expect(await names(chief, true)).toEqual(namesOf(mine, theirs, restricted, anybodys))
      const { items } = await chief.workflow.inbox({ repo, status: 'completed', mayAct: true })
      expect(items).toEqual([])
      expect(await infoOf(api, ours)).toMatchObject({ status: 'completed' })
    })
  })

  describe('a step that the engine restricts to something unknown here', () => {
    it.each(['groups=GRUP_NONE', 'actions=escalate', 'at=elsewhere'])(
      'is only open to callers who may assign: %s',
      async (query) => {
        const { api, as } = bench()
        const member = await aUser([await aGroup()])
        const on = await reviewBy(query)
        const before = await infoOf(api, on)
        expect(await whyNot(act(member.api, 'approve', { on }))).toContain('for those who may assign')
        expect(await whyNot(assign(api, on, member.id))).toContain('for those who may assign')
        expect(await infoOf(api, on)).toEqual(before)
        const chief = await as({ bundles: ['bundle.publisher'] })
        await act(chief, 'approve', { on })
        // The steps are unchanged, and the next one is open to anyone.
        await act(chief, 'route', { on, targetStep: 'legal' })
        await act(member.api, 'approve', { on })
        expect(await infoOf(api, on)).toMatchObject({ status: 'completed' })
      },
    )
  })

  describe('reviews', () => {
    it('require a separate key for each action', async () => {
      const { api, as } = bench()
      const { on } = await underReview(api)
      const { on: fresh } = await aDraft(api)
      const viewer = await as({ permissions: { global: ['items.read', 'packages.view'] } })
      expect(await infoOf(viewer, on)).toMatchObject({ status: 'active' })
      const starter = await as({ permissions: { global: ['items.read', 'packages.view', 'workflow.start'] } })
      const actor = await as({ permissions: { global: ['items.read', 'packages.view', 'workflow.act'] } })
      const assigner = await as({
        permissions: { global: ['items.read', 'packages.view', 'workflow.assign'] },
      })
      const assignee = { userName: 'x' }
      await allFailing(
        [
          act(viewer, 'start', { on: fresh }),
          act(viewer, 'approve', { on }),
          act(actor, 'start', { on: fresh }),
          act(actor, 'assign', { on, assignee }),
          act(starter, 'approve', { on }),
          act(starter, 'assign', { on, assignee }),
          act(assigner, 'reject', { on }),
          // Cancelling deletes the package.
          act(actor, 'cancel', { on }),
        ],
        'forbidden',
      )
      expect(await packageOf(api, on)).toMatchObject({ state: 'inReview' })
      expect(await packageOf(api, fresh)).toMatchObject({ state: 'open' })
      await act(starter, 'start', { on: fresh })
      await act(actor, 'approve', { on: fresh })
      const editor = await as({ bundles: ['bundle.editor'] })
      await act(editor, 'cancel', { on: fresh })
    })

    it('of another repository are not found', async () => {
      const { api, system, as } = bench()
      const { on } = await underReview(api)
      const { id } = await packageOf(api, on)
      const { id: other } = await system.repositories.create({ name: 'other' })
      const stranger = await as({
        permissions: {
          repos: { [other]: ['items.read', 'packages.view', 'workflow.act', 'workflow.start'] },
        },
      })
      const reported: QuireError[] = []
      for (const packageName of [on.packageName, 'ghost', id]) {
        const there = { repositoryId: repo, packageName }
        reported.push(await failing(act(stranger, 'approve', { on: there }), 'not_found'))
        reported.push(await failing(infoOf(stranger, there), 'not_found'))
      }
      reported.push(await failing(stranger.workflow.inbox({ repo }), 'not_found'))
      expect(JSON.stringify(reported.map(({ details }) => details))).not.toContain('instance-')
      // A deleted review can only be read in its own repository.
      await act(api, 'cancel', { on })
      await failing(infoOf(stranger, { repositoryId: 'other', packageName: id }), 'not_found')
      await failing(infoOf(stranger, { repositoryId: repo, packageName: id }), 'not_found')
      expect((await stranger.workflow.inbox({ repo: 'other' })).items).toEqual([])
    })
  })
}
