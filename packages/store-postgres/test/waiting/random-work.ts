import type { EntityWrite, Transaction } from '@quire/core/ports'
import { ada, anEntity, nextVersion, sameVersion, testStart, textOf } from '@quire/testkit'
import * as fc from 'fast-check'

/** One thing that a transaction does. */
export type Act =
  | { readonly act: 'put'; readonly id: string; readonly state: EntityState }
  | { readonly act: 'purge' | 'forget' | 'empty' | 'read'; readonly id: string }
  | { readonly act: 'describe'; readonly id: string; readonly text: string }
  | { readonly act: 'journal' | 'take' | 'count' | 'put text'; readonly text: string }
  | { readonly act: 'list' | 'fold' | 'branch' }

interface EntityState {
  readonly onMain: boolean
  readonly isNewVersion: boolean
  readonly slug: string | null
  readonly text: string | null
  readonly values: readonly (string | number | null)[]
  readonly targets: readonly string[]
  readonly roles: readonly string[]
  readonly deleted: boolean
}

/** Acts, and transactions nested in between; some fail after all of their acts. */
export interface Work {
  readonly acts: readonly Act[]
  readonly nested: readonly { readonly acts: readonly Act[]; readonly fails: boolean }[]
  readonly fails: boolean
}

const id = fc.constantFrom('CONT_1', 'CONT_2', 'CONT_3')
const text = fc.constantFrom(
  'plain',
  'NUL \0 and {"quotes", \\ and NULL}',
  '',
  'NULL',
  '😀 \uD800',
  'x\n'.repeat(5_000),
)

const state: fc.Arbitrary<EntityState> = fc.record({
  onMain: fc.constantFrom(true, true, false),
  isNewVersion: fc.boolean(),
  slug: fc.constantFrom(null, 'a', 'b'),
  text: fc.option(text),
  values: fc.array(fc.oneof(text, fc.constantFrom(1, -0.5, Number.MAX_SAFE_INTEGER, null)), { maxLength: 3 }),
  targets: fc.subarray(['CONT_1', 'CONT_2', 'CONT_9']),
  roles: fc.subarray(['editor', 'reader']),
  deleted: fc.constantFrom(false, false, false, true),
})

const put = fc.record({ act: fc.constant('put' as const), id, state })
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: put },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constantFrom('purge', 'forget', 'empty', 'read'), id }),
  },
  fc.record({ act: fc.constant('describe' as const), id, text }),
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('journal', 'take', 'count', 'put text'), text }),
  },
  fc.record({ act: fc.constantFrom('list', 'fold', 'branch') }),
)

const acts = fc.array(act, { minLength: 1, maxLength: 5 })

/** Transactions that are committed together. */
export const batches: fc.Arbitrary<readonly (readonly Work[])[]> = fc.array(
  fc.array(
    fc.record({
      acts,
      nested: fc.array(fc.record({ acts, fails: fc.boolean() }), { maxLength: 2 }),
      fails: fc.constantFrom(false, false, true),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  { minLength: 1, maxLength: 3 },
)

/** The heads that were written, by branch and id. */
type Heads = Map<string, EntityWrite>

/** Runs works against one store, whose heads it remembers. `told` gets what the acts returned. */
export class RandomWorker {
  readonly told: unknown[] = []
  readonly #repositoryId: string
  #heads: Heads = new Map()
  #branches = 0

  constructor(repositoryId: string) {
    this.#repositoryId = repositoryId
  }

  /** Errors: always, if the work fails. */
  async run(tx: Transaction, { acts, nested, fails }: Work): Promise<void> {
    await this.#attempt(fails, async () => {
      for (const one of acts) await this.#take(tx, one)
      for (const inner of nested) {
        const ended = tx.nested((over) =>
          this.#attempt(inner.fails, async () => {
            for (const one of inner.acts) await this.#take(over, one)
          }),
        )
        await ended.catch((error: Error) => this.told.push(error.message))
      }
    })
  }

  async #attempt(fails: boolean, work: () => Promise<void>): Promise<void> {
    const before = new Map(this.#heads)
    try {
      await work()
      if (fails) throw new Error('fails')
    } catch (error) {
      this.#heads = before
      throw error
    }
  }

  async #take(tx: Transaction, one: Act): Promise<void> {
    if (one.act === 'put') await this.#put(tx, one.id, one.state)
    else if ('id' in one) await this.#onHead(tx, one)
    else if ('text' in one) await this.#onText(tx, one)
    else await this.#onAll(tx, one.act)
  }

  async #put(tx: Transaction, written: string, { onMain, isNewVersion, ...state }: EntityState) {
    const branch = {
      repositoryId: this.#repositoryId,
      packageId: onMain ? null : `PACK ${this.#repositoryId}`,
    }
    const key = JSON.stringify([onMain, written])
    const before = this.#heads.get(key)
    const given = {
      ...branch,
      id: written,
      slug: state.slug,
      body: { text: state.text },
      values: state.values.map((value, index) => ({ path: `fields.v${index}`, value })),
      edges: state.targets.map((targetId) => ({ path: 'fields.to', targetId, onDelete: 'ignore' as const })),
      roles: { read: state.roles, write: [], delete: [] },
      search: state.text === null ? null : textOf(state.text),
      deletedDate: state.deleted ? testStart : null,
    }
    const next = before ? (isNewVersion ? nextVersion : sameVersion)(before, given) : anEntity(given)
    await tx.entities.put(next, next.revision - 1)
    this.#heads.set(key, next)
  }

  async #onHead(tx: Transaction, one: Act & { readonly id: string }): Promise<void> {
    const key = JSON.stringify([true, one.id])
    const head = this.#heads.get(key)
    const branch = { repositoryId: this.#repositoryId, packageId: null }
    const ref = { kind: 'item', id: one.id } as const
    if (one.act === 'read')
      for (const slug of ['a', 'b'])
        this.told.push([
          await tx.entities.getBySlug(branch, { kind: 'item', slug }),
          await tx.entities.get(branch, 'item', one.id),
        ])
    if (one.act === 'describe') await tx.entities.describe(branch, ref, textOf(one.text))
    if (one.act === 'empty' && head) await tx.entities.addEmptyValues(head, ['fields.v9'])
    if (one.act === 'forget' && head)
      await tx.entities.forgetVersions(branch, ref, { before: head.version, retain: null })
    if (one.act === 'purge') {
      await tx.entities.purge(branch, ref)
      this.#heads.delete(key)
    }
  }

  async #onText(tx: Transaction, { act: what, text: given }: Act & { readonly text: string }): Promise<void> {
    const { repositoryId } = { repositoryId: this.#repositoryId }
    if (what === 'take') this.told.push(await tx.ephemera.take(`${repositoryId} ${given}`, 0))
    if (what === 'count') this.told.push(await tx.ephemera.increment(`${repositoryId} ${given}`, 0, 9))
    if (what === 'put text') await tx.texts.put(`${repositoryId} ${given}`, given)
    if (what === 'journal')
      await tx.journal.record({
        repositoryId,
        packageId: null,
        entityId: 'CONT_1',
        entityType: 'article',
        event: 'ITEM_CREATED',
        version: null,
        status: null,
        date: testStart,
        user: ada,
        requestId: 'REQ',
        details: { given },
      })
  }

  async #onAll(tx: Transaction, what: 'list' | 'fold' | 'branch'): Promise<void> {
    const repositoryId = this.#repositoryId
    if (what === 'fold') this.told.push(await tx.usage.fold(3))
    if (what === 'list')
      this.told.push(await tx.entities.ownHeads({ repositoryId, packageId: null }, { limit: 10 }))
    if (what === 'branch') {
      this.#branches += 1
      const branch = { repositoryId: `${repositoryId} ${this.#branches}`, packageId: null }
      await tx.entities.put(anEntity({ ...branch, id: `CONT_${this.#branches}` }), 0)
    }
  }
}
