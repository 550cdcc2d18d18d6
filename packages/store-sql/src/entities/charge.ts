import { addsTo, isCharged, type EntityWrite, type Branch } from '@quire/core/ports'
import type { Layer } from '../layer.ts'
import { parsePerson } from './head-row.ts'
import type { ChargedRow } from './write-statements.ts'

/** What a write added to the usage. */
interface Added {
  /** Bytes of the new version's text; null when there is no new version. */
  readonly textBytes: number | null
  readonly isNewItem: boolean
}

/** Adds a write to the usage of its repository and its users. */
export function chargeWrite({ usage }: Layer, entity: EntityWrite, { textBytes, isNewItem }: Added): void {
  if (!isCharged(entity)) return
  const { repositoryId, createdBy, updatedBy, fileBytes = 0 } = entity
  const adds = addsTo(entity)
  if (textBytes !== null) {
    const bytes = textBytes + fileBytes
    usage.charge({ repositoryId, userName: updatedBy.userName, bytes, versions: 1, adds })
  }
  if (isNewItem) usage.charge({ repositoryId, userName: createdBy.userName, items: 1, adds })
}

/** Subtracts deleted versions from the usage. */
export function creditVersions({ usage }: Layer, branch: Branch, gone: readonly ChargedRow[]): void {
  if (!isCharged(branch)) return
  const { repositoryId } = branch
  for (const [person, bytes] of gone) {
    const { userName } = parsePerson(person)
    usage.charge({ repositoryId, userName, bytes: -bytes, versions: -1, adds: false })
  }
}

/** Subtracts an item from the usage when its last head is deleted. */
export function creditItem(
  { usage }: Layer,
  branch: Branch,
  found: readonly [createdBy: string, heldElsewhere: number] | undefined,
): void {
  if (!isCharged(branch) || !found || found[1] === 1) return
  usage.charge({ repositoryId: branch.repositoryId, userName: found[0], items: -1, adds: false })
}
