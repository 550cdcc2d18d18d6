import type { Branch, EntityWrite, Json, JsonObject, Store, Transaction } from '@quire/core/ports'
import * as fc from 'fast-check'
import { anEntity, inPackageOf, nextVersion, sameVersion } from '../entity.ts'

/** The same cases on every run, so that a failure means that the code changed. */
const SEED = 20_260_101

/** What was written to one branch of an entity, and has not been purged. */
interface WrittenHistory {
  readonly head: EntityWrite
  readonly versions: ReadonlyMap<number, EntityWrite>
}

/** The entities that random steps wrote, by branch and id. */
export interface WrittenVersions {
  readonly repositoryId: string
  readonly histories: ReadonlyMap<string, WrittenHistory>
}

interface Step {
  readonly act: 'put' | 'mark' | 'forget' | 'purge'
  readonly id: string
  readonly inPackage: boolean
  readonly body: JsonObject
  /** Which text an entity is answered with. */
  readonly json: 'same' | 'reordered' | 'other'
}

const long = 'Grüße 😀 \uD800\0'.repeat(1_000)

/** Values below and above the sizes from which stores may treat them differently. */
const value: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  1,
  null,
  'short',
  long,
  `${long}!`,
  'x'.repeat(70_000),
  'x'.repeat(8_190),
  'x'.repeat(8_189),
  `","big":"${long}`,
  Array.from({ length: 2_000 }, (_, at) => ({ big: at, x: 'x' })),
  { big: long, inner: { big: long }, words: ['\n'.repeat(40_000)] },
)

const fields = fc.record({ big: value, 'a "b": \\': value, 7: value })

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    act: fc.constantFrom('put', 'put', 'put', 'mark', 'forget', 'purge'),
    id: fc.constantFrom('CONT_1', 'CONT_2'),
    inPackage: fc.boolean(),
    body: fc.record({ description: value, fields, big: value }),
    json: fc.constantFrom('same', 'same', 'reordered', 'other'),
  }),
  { minLength: 1, maxLength: 16 },
)

/**
 * Runs `check` after random writes of small and large bodies, among them the deletion of versions.
 * Each run has its own repository in the store, and purges what it wrote in the end.
 */
export async function onRandomVersions(
  store: Store,
  check: (written: WrittenVersions) => Promise<void>,
): Promise<void> {
  let run = 0
  const property = fc.asyncProperty(steps, async (drawn) => {
    run += 1
    const repositoryId = `REPO_${run}`
    const histories = new Map<string, WrittenHistory>()
    for (const step of drawn) await store.transaction((tx) => take(tx, { repositoryId, histories }, step))
    await check({ repositoryId, histories })
    for (const { head } of histories.values())
      await store.transaction((tx) => tx.entities.purge(head, { kind: 'item', id: head.id }))
  })
  await fc.assert(property, { seed: SEED, numRuns: 30 })
}

interface Histories {
  readonly repositoryId: string
  readonly histories: Map<string, WrittenHistory>
}

async function take(tx: Transaction, written: Histories, step: Step): Promise<void> {
  const packageId = step.inPackage ? `PACK_${written.repositoryId}` : null
  const key = JSON.stringify([packageId, step.id])
  const before = written.histories.get(key)
  if (step.act === 'put') {
    const onMain = written.histories.get(JSON.stringify([null, step.id]))
    const branch = { repositoryId: written.repositoryId, packageId }
    const head = writeOf(branch, step, { before: before?.head, onMain: onMain?.head })
    await tx.entities.put(head, head.revision - 1)
    const versions = new Map([...(before?.versions ?? []), [head.version, head]])
    written.histories.set(key, { head, versions })
  } else if (before) {
    const after = await change(tx, before, step)
    if (after) written.histories.set(key, after)
    else written.histories.delete(key)
  }
}

/** Changes the state of a head, or deletes versions. Returns null once nothing is left. */
async function change(tx: Transaction, before: WrittenHistory, step: Step): Promise<WrittenHistory | null> {
  const { head } = before
  const ref = { kind: 'item', id: head.id } as const
  if (step.act === 'mark') {
    const body = step.json === 'other' ? step.body : head.body
    const next = sameVersion(head, { archived: true, body, json: jsonOf(step, body) })
    await tx.entities.put(next, next.revision - 1)
    return { ...before, head: next }
  }
  if (step.act === 'purge') {
    await tx.entities.purge(head, ref)
    return null
  }
  const end = head.version + Number(step.json === 'other')
  await tx.entities.forgetVersions(head, ref, { before: end, retain: null })
  return before
}

function writeOf(
  branch: Branch,
  step: Step,
  { before, onMain }: { before: EntityWrite | undefined; onMain: EntityWrite | undefined },
): EntityWrite {
  const content = { body: step.body, json: jsonOf(step, step.body) }
  if (before) return nextVersion(before, content)
  if (branch.packageId !== null && onMain) return inPackageOf(branch.packageId, onMain, content)
  return anEntity({ ...branch, id: step.id, ...content })
}

function jsonOf({ json, id }: Step, body: JsonObject): string {
  if (json === 'other') return JSON.stringify({ id })
  const { fields: own, ...rest } = body
  return JSON.stringify(json === 'same' ? { id, ...body } : { id, fields: own ?? null, ...rest })
}
