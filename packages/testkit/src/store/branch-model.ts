import type { EntityWrite, Branch, SearchDocument, Transaction } from '@quire/core/ports'
import { anEntity } from '../entity.ts'

/** A change of an entity on a branch. */
export interface Step {
  readonly id: string
  readonly inPackage: boolean
  /**
   * `put` writes a head, `mark` changes only its state, `delete` deletes it softly, `purge` removes
   * it, `describe` replaces its document.
   */
  readonly act: 'put' | 'mark' | 'delete' | 'purge' | 'describe'
  /** The new members of the head. */
  readonly head: Partial<EntityWrite>
}

/** A head in the model, with its position in the order of the index. */
export interface ModelHead {
  readonly write: EntityWrite
  readonly row: number
}

/** A plain model of the heads of main and one package, to compare a store with. */
export interface BranchModel {
  readonly main: Branch
  readonly package: Branch
  readonly heads: Map<string, ModelHead>
  rows: number
}

/** Creates an empty model of a repository. */
export function aBranchModel(repositoryId: string): BranchModel {
  return {
    main: { repositoryId, packageId: null },
    package: { repositoryId, packageId: `PACK_${repositoryId}` },
    heads: new Map(),
    rows: 0,
  }
}

/** Runs a step in a store and in the model. Absent heads cannot be marked, deleted or described. */
export async function take(tx: Transaction, model: BranchModel, step: Step): Promise<void> {
  const branch = step.inPackage ? model.package : model.main
  const key = keyOf(branch, step.id)
  const before = model.heads.get(key)
  const ref = { kind: 'item', id: step.id } as const
  if (step.act === 'purge') {
    await tx.entities.purge(branch, ref)
    model.heads.delete(key)
    return
  }
  if (step.act === 'describe') {
    const document = step.head.search
    if (document) await tx.entities.describe(branch, ref, document)
    if (document && before?.write.deletedDate === null)
      model.heads.set(key, located(model, before, { ...before.write, search: document }))
    return
  }
  if (!before && step.act !== 'put') return
  const write = writeOf(step, branch, before?.write)
  await tx.entities.put(write, write.revision - 1)
  model.heads.set(key, located(model, before, write))
}

/** The live heads that a branch shows, in a package with the read roles of main's. */
export function visible(model: BranchModel, branch: Branch): readonly ModelHead[] {
  const ids = new Set([...model.heads.values()].map(({ write }) => write.id))
  return [...ids].flatMap((id) => {
    const main = model.heads.get(keyOf(model.main, id))
    const own = model.heads.get(keyOf(branch, id))
    const head = own ?? main
    if (!head || head.write.deletedDate !== null) return []
    const mainReaders = main?.write.roles.read ?? []
    const isLimited = branch.packageId !== null && own !== undefined && mainReaders.length > 0
    return [isLimited ? { ...head, write: { ...head.write, mainReaders } } : head]
  })
}

function writeOf({ act, id, head }: Step, branch: Branch, before: EntityWrite | undefined): EntityWrite {
  const revision = (before?.revision ?? 0) + 1
  if (before && act !== 'put') {
    const state = act === 'delete' ? { deletedDate: 5 } : { archived: !before.archived }
    return { ...before, ...state, revision }
  }
  return anEntity({ ...head, ...branch, id, revision, version: revision })
}

/**
 * A head whose document did not change keeps its position. Any other is indexed last, and found
 * first.
 */
function located(model: BranchModel, before: ModelHead | undefined, write: EntityWrite): ModelHead {
  const same = before && JSON.stringify(givenBy(before.write)) === JSON.stringify(givenBy(write))
  if (same) return { write, row: before.row }
  model.rows += 1
  return { write, row: model.rows }
}

function givenBy({ search, deletedDate }: EntityWrite): SearchDocument | null {
  return deletedDate === null ? search : null
}

function keyOf({ packageId }: Branch, id: string): string {
  return `${packageId} ${id}`
}
