import type { Group, PermissionKey, WorkflowInfo } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { activeInfo } from '../../../test/sample-reviews.ts'
import { resolveIdentity, type AccountPrincipal } from '../../engine/access/identity.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { RoleRecord, ServiceAccountRecord, UserRecord } from '../../engine/access/records.ts'
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

const aRole = (id: string, repos: Readonly<Record<string, PermissionKey[]>>): RoleRecord => {
  const empty = { groups: [], users: [], repos: [], type: 'role', bundles: [] }
  const permissions = { global: [], repos, sites: {} }
  const overrides = { grant: [], revoke: [] }
  return { id, searchId: id.toLowerCase(), name: id, ...empty, ...made, permissions, overrides }
}

const repositoryId = 'REPO_1'

/**
 * EDITORS may see packages of REPO_1, by a role, and so may CHIEFS, which are in EDITORS. ELSEWHERE
 * may see those of another repository, and GUESTS none.
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

/** A workflow whose current step has these groups. */
const infoFor = (...assignedGroups: string[]): WorkflowInfo => {
  const { assignee: _assignee, ...info } = activeInfo
  const step = { name: 'editorial', label: 'Editorial', allowedActions: [], assignedGroups }
  return { ...info, steps: [{ ...step, name: 'legal', assignedGroups: ['GUESTS'] }, step] }
}

describe('the stored steps', () => {
  it('have only groups that may see packages of the repository', async () => {
    const groups = ['GUESTS', 'CHIEFS', 'ELSEWHERE', 'EDITORS', 'NOWHERE']
    const { steps } = infoFor(...groups)
    const stored = await stepsFor(store.records, steps, repositoryId)
    expect(stored.steps.map(({ assignedGroups }) => assignedGroups)).toEqual([[], ['CHIEFS', 'EDITORS']])
    const there = await stepsFor(store.records, steps, 'REPO_2')
    expect(there.steps.map(({ assignedGroups }) => assignedGroups)).toEqual([[], ['ELSEWHERE']])
  })

  it('are otherwise unchanged', async () => {
    const { steps } = infoFor('EDITORS')
    const stored = await stepsFor(store.records, steps, repositoryId)
    expect(stored.steps).toEqual([{ ...steps[0], assignedGroups: [] }, steps[1]])
  })

  it('are restricted if none of their groups may see the repository, or none of their actions is known', async () => {
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

describe('a step can be assigned', () => {
  const assignable = (userName: string, info = infoFor('EDITORS'), restricted: string[] = []) =>
    requireAssignable({ store }, { info, repositoryId, userName, restricted })

  it('to a member of a group of the step, directly or through other groups', async () => {
    expect(await assignable('eva')).toEqual({ userName: 'eva', displayName: 'EVA', email: 'eva' })
    expect(await assignable('cem')).toMatchObject({ userName: 'cem' })
    expect(await assignable('CEM')).toMatchObject({ userName: 'cem' })
    expect(await assignable('SERV_1')).toEqual({ userName: 'SERV_1', displayName: 'SERV_1', email: '' })
    expect(await assignable('cem', infoFor('GUESTS', 'CHIEFS'))).toMatchObject({ userName: 'cem' })
  })

  it('to anyone who may see packages if the step has no groups, or the engine named no steps', async () => {
    expect(await assignable('lee', infoFor())).toMatchObject({ userName: 'lee' })
    expect(await assignable('lee', { ...infoFor('EDITORS'), steps: [] })).toMatchObject({ userName: 'lee' })
  })

  it('only to those who may assign if the step is restricted, or is not among the steps', async () => {
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

  it('and the error has the workflow in its details otherwise', async () => {
    const info = infoFor('EDITORS')
    for (const userName of ['lee', 'nobody'])
      await expect(assignable(userName, info)).rejects.toMatchObject({ details: { workflowInfo: info } })
  })

  it('but not to somebody who is in none of the groups', async () => {
    await expect(assignable('lee')).rejects.toMatchObject({
      code: 'workflow_failed',
      message: '"lee" is in none of the groups of the step "editorial".',
    })
    await expect(assignable('eva', infoFor('CHIEFS'))).rejects.toMatchObject({ code: 'workflow_failed' })
  })

  it.each([
    ['who does not exist', 'nobody'],
    ['who is disabled', 'off'],
    ['who may only see packages of another repository', 'far'],
  ])('but not to somebody %s', async (_words, userName) => {
    await expect(assignable(userName, infoFor())).rejects.toMatchObject({
      code: 'workflow_failed',
      message: `There is no account "${userName}" that may see packages of this repository.`,
    })
  })
})

describe('permission to act', () => {
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

  it('is given to the assignee, and to nobody else in the group', async () => {
    const info = { ...infoFor('EDITORS'), assignee: lee }
    expect(await act('lee', info)).toBe('may')
    expect(await act('eva', info)).toBe('The step "editorial" is assigned to Lee.')
  })

  it('is given to members of the groups of the step if there is no assignee', async () => {
    expect(await act('eva', infoFor('EDITORS'))).toBe('may')
    expect(await act('cem', infoFor('EDITORS'))).toBe('may')
    expect(await act('SERV_1', infoFor('EDITORS'))).toBe('may')
    expect(await act('lee', infoFor('EDITORS'))).toBe(notIn)
    expect(await act('lee', infoFor('EDITORS', 'GUESTS'))).toBe('may')
  })

  it('is given to anyone if the step has no groups', async () => {
    expect(await act('lee', infoFor())).toBe('may')
    expect(await act('lee', infoFor(), ['legal'])).toBe('may')
  })

  it('is given only to assigners and the assignee in a restricted or unknown step', async () => {
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

  it('is denied with the workflow in the details of the error', async () => {
    for (const info of [infoFor('EDITORS'), { ...infoFor('EDITORS'), assignee: boss }])
      await expect(tried('lee', info)).rejects.toMatchObject({
        code: 'workflow_failed',
        details: { workflowInfo: info },
      })
  })

  it('is always given to those who may assign in this repository', async () => {
    expect(await act('boss', { ...infoFor('EDITORS'), assignee: lee })).toBe('may')
    expect(await act('boss', infoFor('EDITORS'))).toBe('may')
    expect(await act('far', infoFor('EDITORS'))).toBe(notIn)
  })
})
