import {
  type Entity,
  type EntityVersion,
  type EntityWrite,
  type Branch,
  type UsageWriter,
} from '../ports/index.ts'
import { addsTo, isCharged } from '../adapters/usage.ts'
import { pastScope } from './branches.ts'
import type { OpenState, State } from './state.ts'

/** The usage of a state, which is always folded. */
export function memoryUsage(open: OpenState): UsageWriter {
  return {
    of: async (scope) => ({ ...open().usage.of(scope), unfolded: 0 }),
    changes: () => open().usage.all(),
    async fold() {
      open()
      return 0
    },
  }
}

/** Charges a new version, including the files that it adds. */
export function chargeVersion(state: State, write: EntityWrite, version: EntityVersion): void {
  const { repositoryId, fileBytes = 0 } = write
  if (fileBytes > 0) state.fileBytes.set('', chargedKey(write, version), fileBytes)
  if (!isCharged(write)) return
  const userName = version.savedBy.userName
  const bytes = textBytes(version) + fileBytes
  state.usage.charge({ repositoryId, userName, bytes, versions: 1, adds: addsTo(write) })
}

/** Credits the charge of a version. */
export function creditVersion(state: State, branch: Branch, version: EntityVersion): void {
  const key = chargedKey(branch, version)
  const bytes = -textBytes(version) - (state.fileBytes.get('', key) ?? 0)
  state.fileBytes.delete('', key)
  if (!isCharged(branch)) return
  const { userName } = version.savedBy
  state.usage.charge({ repositoryId: branch.repositoryId, userName, bytes, versions: -1, adds: false })
}

/** Charges an item when its first head is written. */
export function chargeItem(state: State, write: EntityWrite): void {
  const { repositoryId, packageId, kind, id, createdBy } = write
  if (kind !== 'item' || !isCharged(write)) return
  if (!isHeld(state, repositoryId, id))
    state.usage.charge({ repositoryId, userName: createdBy.userName, items: 1, adds: addsTo(write) })
  state.itemBranches.set(itemScope(repositoryId, id), packageId ?? '', true)
}

/** Credits an item when its last head is gone. */
export function creditItem(state: State, { repositoryId, packageId, kind, id, createdBy }: Entity): void {
  if (kind !== 'item' || !isCharged({ repositoryId, packageId })) return
  const { userName } = createdBy
  state.itemBranches.delete(itemScope(repositoryId, id), packageId ?? '')
  if (!isHeld(state, repositoryId, id)) state.usage.charge({ repositoryId, userName, items: -1, adds: false })
}

function isHeld(state: State, repositoryId: string, id: string): boolean {
  return !state.itemBranches.entries(itemScope(repositoryId, id)).next().done
}

function itemScope(repositoryId: string, id: string): string {
  return [repositoryId, id].join('\n')
}

function chargedKey(branch: Branch, version: EntityVersion): string {
  return `${pastScope(branch, version)} ${version.version}`
}

function textBytes({ body }: EntityVersion): number {
  return new TextEncoder().encode(JSON.stringify(body)).length
}
