import type { Group, PermissionKey, Role, WorkflowInfo } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { activeInfo } from '../../../test/sample-reviews.ts'
import { resolveIdentity, type AccountPrincipal } from '../../engine/access/identity.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { ServiceAccountRecord, UserRecord } from '../../engine/access/records.ts'
import { requireAssignable, requireMayAct, stepsFor } from './people.ts'

const made = { createdDate: 0, updatedDate: 0, description: '' }

const aGroup = (id: string, members: Partial<Group> = {}): Group => {
  const empty = { groups: [], users: [], roles: [], repos: [], type: 'group' }
  return { id, searchId: id.toLowerCase(), name: id, ...empty, ...made, ...members }
}

const aUser = (id: string, members: Partial<UserRecord> = {}): UserRecord => {
  const empty = { groups: [], roles: [], repos: [], type: 'user', enabled: true, epoch: 0 }
  return { id, searchId: id, name: id.toUpperCase(), ...empty, ...made, ...members }
}

const aService = (id: string, members: Partial<ServiceAccountRecord> = {}): ServiceAccountRecord => {
  const empty = { groups: [], roles: [], enabled: true, epoch: 0, expiresAt: null, secrets: [] }
  return { id, name: id, ...empty, ...made, ...members }
}

const aRole = (id: string, repos: Readonly<Record<string, PermissionKey[]>>): Role => {
  const empty = { groups: [], users: [], repos: [], type: 'role', bundles: [] }
  const permissions = { global: [], repos, sites: {} }
  const overrides = { grant: [], revoke: [] }
  return { id, searchId: id.toLowerCase(), name: id, ...empty, ...made, permissions, overrides }
}

const repositoryId = 'REPO_1'

/**
 * EDITORS may see packages of REPO_1, by a role; so may CHIEFS, which are in EDITORS; ELSEWHERE may in another repository, and GUESTS nowhere.
 */
async function aStore() {
  const store = createMemoryStore()
  await store.transaction(async ({ records }) => {
    await records.put('role', aRole('SEES', { REPO_1: ['packages.view'] }), 0)
    await records.put('role', aRole('SEES_ELSEWHERE', { REPO_2: ['packages.view', 'workflow.assign'] }), 0)
    await records.put('role', aRole('ASSIGNS', { REPO_1: ['packages.view', 'workflow.assign'] }), 0)
    await records.put('group', aGroup('EDITORS', { roles: ['SEES'] }), 0)
    await records.put('group', aGroup('CHIEFS', { groups: ['EDITORS'], users: ['cem'] }), 0)
    await records.put('group', aGroup('ELSEWHERE', { roles: ['SEES_ELSEWHERE'] }), 0)
    await records.put('group', aGroup('GUESTS'), 0)
    await records.put('user', aUser('eva', { groups: ['EDITORS'] }), 0)
    await records.put('user', aUser('cem'), 0)
    await records.put('user', aUser('lee', { roles: ['SEES'], groups: ['GUESTS'] }), 0)
    await records.put('user', aUser('off', { groups: ['EDITORS'], enabled: false }), 0)
    await records.put('user', aUser('far', { groups: ['ELSEWHERE', 'GUESTS'] }), 0)
    await records.put('user', aUser('boss', { roles: ['ASSIGNS'] }), 0)
    await records.put('serviceAccount', aService('SERV_1', { groups: ['EDITORS'] }), 0)
  })
  return store
}

const store = await aStore()

/** A workflow at a step of these groups. */
const infoFor = (...assignedGroups: string[]): WorkflowInfo => {
  const { assignee: _assignee, ...info } = activeInfo
  const step = { name: 'editorial', label: 'Editorial', allowedActions: [], assignedGroups }
  return { ...info, steps: [{ ...step, name: 'legal', assignedGroups: ['GUESTS'] }, step] }
}

describe('the steps that are kept', () => {
  it('name the groups alone that may see packages of the repository', async () => {
    const groups = ['GUESTS', 'CHIEFS', 'ELSEWHERE', 'EDITORS', 'NOWHERE']
    const { steps } = infoFor(...groups)
    const stored = await stepsFor(store.records, steps, repositoryId)
    expect(stored.steps.map(({ assignedGroups }) => assignedGroups)).toEqual([[], ['CHIEFS', 'EDITORS']])
    const there = await stepsFor(store.records, steps, 'REPO_2')
    expect(there.steps.map(({ assignedGroups }) => assignedGroups)).toEqual([[], ['ELSEWHERE']])
  })

  it('are as they came otherwise', async () => {
    const { steps } = infoFor('EDITORS')
    const stored = await stepsFor(store.records, steps, repositoryId)
    expect(stored.steps).toEqual([{ ...steps[0], assignedGroups: [] }, steps[1]])
  })

  it('are restricted where none of their groups may see the repository, or none of their actions is ours', async () => {
    const [guests, editorial] = infoFor('EDITORS').steps
    const bare = { label: 'Bare', allowedActions: [], assignedGroups: [] }
    const steps = [
      { ...bare, ...guests, name: 'emptied', assignedGroups: ['GUESTS', 'NOWHERE'] },
      { ...bare, ...editorial, name: 'narrowed', assignedGroups: ['GUESTS', 'EDITORS'] },
      { ...bare, name: 'open' },
      { ...bare, name: 'foreign', isForeign: true as const },
    ]
    const stored = await stepsFor(store.records, steps, repositoryId)
    expect(stored.restricted).toEqual(['emptied', 'foreign'])
    expect(stored.steps.at(-1)).toEqual({ ...bare, name: 'foreign' })
  })
})

describe('somebody can be assigned', () => {
  const assignable = (userName: string, info = infoFor('EDITORS'), restricted: string[] = []) =>
    requireAssignable({ store }, { info, repositoryId, userName, restricted })

  it('who is in a group of the step, by whatever way, as they are known here', async () => {
    expect(await assignable('eva')).toEqual({ userName: 'eva', displayName: 'EVA', email: 'eva' })
    expect(await assignable('cem')).toMatchObject({ userName: 'cem' })
    expect(await assignable('SERV_1')).toEqual({ userName: 'SERV_1', displayName: 'SERV_1', email: '' })
    expect(await assignable('cem', infoFor('GUESTS', 'CHIEFS'))).toMatchObject({ userName: 'cem' })
  })

  it('whoever may see packages where the step has no groups, or the engine named no steps', async () => {
    expect(await assignable('lee', infoFor())).toMatchObject({ userName: 'lee' })
    expect(await assignable('lee', { ...infoFor('EDITORS'), steps: [] })).toMatchObject({ userName: 'lee' })
  })

  it('but nobody except who may assign where the step is restricted, or is not among the steps', async () => {
    const lost = { ...infoFor(), currentStep: 'lost' }
    for (const [info, restricted] of [
      [lost, []],
      [infoFor(), ['editorial']],
    ] as const) {
      expect(await assignable('boss', info, [...restricted])).toMatchObject({ userName: 'boss' })
      await expect(assignable('lee', info, [...restricted])).rejects.toMatchObject({
        code: 'workflow_failed',
        message: expect.stringContaining('for those who may assign'),
      })
    }
  })

  it('and where nobody can be, the error says where the workflow stands', async () => {
    const info = infoFor('EDITORS')
    for (const userName of ['lee', 'nobody'])
      await expect(assignable(userName, info)).rejects.toMatchObject({ details: { workflowInfo: info } })
  })

  it('but nobody who is in none of the groups', async () => {
    await expect(assignable('lee')).rejects.toMatchObject({
      code: 'workflow_failed',
      message: '"lee" is in none of the groups of the step "editorial".',
    })
    await expect(assignable('eva', infoFor('CHIEFS'))).rejects.toMatchObject({ code: 'workflow_failed' })
  })

  it.each([
    ['who is not there', 'nobody'],
    ['who is disabled', 'off'],
    ['who may see packages of another repository alone', 'far'],
  ])('but nobody %s', async (_words, userName) => {
    await expect(assignable(userName, infoFor())).rejects.toMatchObject({
      code: 'workflow_failed',
      message: `There is nobody "${userName}" who may see packages of this repository.`,
    })
  })
})

describe('somebody may act', () => {
  const tried = async (id: string, info: WorkflowInfo, restricted: string[] = []) => {
    const kind: AccountPrincipal['kind'] = id.startsWith('SERV_') ? 'service' : 'user'
    const identity = await resolveIdentity(store.records, { kind, id })
    return requireMayAct({ identity, store }, { info, repositoryId, restricted })
  }
  const act = async (...about: Parameters<typeof tried>) =>
    tried(...about).then(
      () => 'may',
      (error: Error) => error.message,
    )
  const lee = { userName: 'lee', displayName: 'Lee', email: '' }
  const boss = { userName: 'boss', displayName: 'Boss', email: '' }
  const notIn = 'You are in none of the groups of the step "editorial".'

  it('who is assigned, and nobody else of the group', async () => {
    const info = { ...infoFor('EDITORS'), assignee: lee }
    expect(await act('lee', info)).toBe('may')
    expect(await act('eva', info)).toBe('The step "editorial" is assigned to Lee.')
  })

  it('who is in one of the groups of the step, where nobody is assigned', async () => {
    expect(await act('eva', infoFor('EDITORS'))).toBe('may')
    expect(await act('cem', infoFor('EDITORS'))).toBe('may')
    expect(await act('SERV_1', infoFor('EDITORS'))).toBe('may')
    expect(await act('lee', infoFor('EDITORS'))).toBe(notIn)
    expect(await act('lee', infoFor('EDITORS', 'GUESTS'))).toBe('may')
  })

  it('whoever they are, where the step has no groups', async () => {
    expect(await act('lee', infoFor())).toBe('may')
    expect(await act('lee', infoFor(), ['legal'])).toBe('may')
  })

  it('in a restricted step, or in one that is not among the steps, who may assign and who is assigned alone', async () => {
    const lost = { ...infoFor(), currentStep: 'lost' }
    for (const [info, restricted] of [
      [lost, []],
      [infoFor(), ['editorial']],
    ] as const) {
      expect(await act('eva', info, [...restricted])).toContain('for those who may assign')
      expect(await act('boss', info, [...restricted])).toBe('may')
      expect(await act('lee', { ...info, assignee: lee }, [...restricted])).toBe('may')
    }
  })

  it('and who may not is told where the workflow stands', async () => {
    for (const info of [infoFor('EDITORS'), { ...infoFor('EDITORS'), assignee: boss }])
      await expect(tried('lee', info)).rejects.toMatchObject({
        code: 'workflow_failed',
        details: { workflowInfo: info },
      })
  })

  it('who may assign in this repository, always', async () => {
    expect(await act('boss', { ...infoFor('EDITORS'), assignee: lee })).toBe('may')
    expect(await act('boss', infoFor('EDITORS'))).toBe('may')
    expect(await act('far', infoFor('EDITORS'))).toBe(notIn)
  })
})
