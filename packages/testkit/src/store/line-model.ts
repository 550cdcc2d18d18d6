import type { EntityWrite, Line, SearchDocument, Transaction } from '@quire/core/ports'
import { anEntity } from '../entity.ts'

/** What may happen to an entity of a line. */
export interface Step {
  readonly id: string
  readonly inPackage: boolean
  /** `put` a head, `mark` it without saying anything else, `delete`, `purge`, or `describe` it. */
  readonly act: 'put' | 'mark' | 'delete' | 'purge' | 'describe'
  /** What the head is from then on. */
  readonly head: Partial<EntityWrite>
}

/** A head as the model has it, with its place in the order of the index. */
export interface ModelHead {
  readonly write: EntityWrite
  readonly row: number
}

/** Heads of main and of one package, kept as plainly as possible beside those of a store. */
export interface LineModel {
  readonly main: Line
  readonly package: Line
  readonly heads: Map<string, ModelHead>
  rows: number
}

/** An empty model of a repository. */
export function aLineModel(repositoryId: string): LineModel {
  return {
    main: { repositoryId, packageId: null },
    package: { repositoryId, packageId: `PACK_${repositoryId}` },
    heads: new Map(),
    rows: 0,
  }
}

/** Does a step in a store and in the model. What is not there cannot be marked, deleted or described. */
export async function take(tx: Transaction, model: LineModel, step: Step): Promise<void> {
  const line = step.inPackage ? model.package : model.main
  const key = keyOf(line, step.id)
  const before = model.heads.get(key)
  const ref = { kind: 'item', id: step.id } as const
  if (step.act === 'purge') {
    await tx.entities.purge(line, ref)
    model.heads.delete(key)
    return
  }
  if (step.act === 'describe') {
    const document = step.head.search
    if (document) await tx.entities.describe(line, ref, document)
    if (document && before?.write.deletedDate === null)
      model.heads.set(key, placed(model, before, { ...before.write, search: document }))
    return
  }
  if (!before && step.act !== 'put') return
  const write = writeOf(step, line, before?.write)
  await tx.entities.put(write, write.revision - 1)
  model.heads.set(key, placed(model, before, write))
}

/** The live heads that a line shows. */
export function shown(model: LineModel, line: Line): readonly ModelHead[] {
  const ids = new Set([...model.heads.values()].map(({ write }) => write.id))
  return [...ids].flatMap((id) => {
    const head = model.heads.get(keyOf(line, id)) ?? model.heads.get(keyOf(model.main, id))
    return head && head.write.deletedDate === null ? [head] : []
  })
}

function writeOf({ act, id, head }: Step, line: Line, before: EntityWrite | undefined): EntityWrite {
  const revision = (before?.revision ?? 0) + 1
  if (before && act !== 'put') {
    const marks = act === 'delete' ? { deletedDate: 5 } : { archived: !before.archived }
    return { ...before, ...marks, revision }
  }
  return anEntity({ ...head, ...line, id, revision, version: revision })
}

/** What says the same as before stays where it was; everything else comes last in the index, which is first in a search. */
function placed(model: LineModel, before: ModelHead | undefined, write: EntityWrite): ModelHead {
  const same = before && JSON.stringify(saidBy(before.write)) === JSON.stringify(saidBy(write))
  if (same) return { write, row: before.row }
  model.rows += 1
  return { write, row: model.rows }
}

function saidBy({ search, deletedDate }: EntityWrite): SearchDocument | null {
  return deletedDate === null ? search : null
}

function keyOf({ packageId }: Line, id: string): string {
  return `${packageId} ${id}`
}
