import type { Api } from '@quire/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginHistory, deeds, stepsOn, takeAll, weighed, type History, type Step } from './history.ts'
import { openMagazine, repo, type MagazineEngine } from './magazine-engine.ts'
import { outcomeOf } from './outcome.ts'
import { answersTo, readsOfMain, finishedAnswers } from './reads-of-main.ts'
import { resolveAndMerge, settlementsOf } from './resolutions.ts'
import { namingDeeds } from './structure-deeds.ts'
import { differencesIn, isOldPublished, readsOfHeld, visibleOn } from './visible.ts'
import { contentsOfMain, textOfStore, type MainContent } from './store-text.ts'

const one = { repo, packageName: 'one' }

/** An engine with an initial history and two empty packages. */
async function open(): Promise<History> {
  const engine = await openMagazine()
  const history = await beginHistory(engine)
  for (const name of ['one', 'two']) await engine.api.packages.create({ repo, name })
  return history
}

/** Runs the same steps in two engines, whose stores are then equal. */
async function openTwins(steps: readonly Step[]): Promise<[MagazineEngine, MagazineEngine]> {
  const [left, right] = [await open(), await open()]
  await takeAll(left, steps)
  await takeAll(right, steps)
  expect(await textOfStore(left.engine.store)).toBe(await textOfStore(right.engine.store))
  return [left.engine, right.engine]
}

const everywhere = stepsOn([null, 'one', 'one', 'two'])
const onMain = stepsOn([null])
const onMainButNames = stepsOn([null], { does: weighed.filter((deed) => !namingDeeds.has(deed)) })
const inOne = stepsOn(['one'])

const step = (on: Step['on'], does: Step['does'], item = 0): Step => ({ does, on, item, value: 0 })

const runs = (numRuns: number): fc.Parameters<unknown> => ({ numRuns })

describe('a package that is written to', () => {
  it('changes no byte of any read of main over 1 000 changes', async () => {
    const history = await open()
    const { engine, ids, assets } = history
    const reads = await readsOfMain(engine, { ids: ids.slice(0, 8), assets: [...assets] })
    const before = await finishedAnswers(engine, reads)
    const steps = Array.from({ length: 1000 }, (_, n): Step => {
      const does = deeds[(n * 7) % deeds.length] ?? 'edit'
      return { does, on: n % 3 === 0 ? 'two' : 'one', item: n % 23, value: (n * 13) % 41 }
    })
    for (let at = 0; at < steps.length; at += 250) {
      await takeAll(history, steps.slice(at, at + 250))
      expect(await answersTo(engine, reads)).toEqual(before)
    }
    const { count } = await engine.api.packages.changes(one)
    expect(count).toBeGreaterThan(20)
  })

  it('changes no byte of any read of main, whatever happened on main before', async () => {
    const packages = stepsOn(['one', 'two'])
    await fc.assert(
      fc.asyncProperty(onMain, packages, async (before, after) => {
        const history = await open()
        await takeAll(history, before)
        const reads = await readsOfMain(history.engine, {
          ids: [...history.ids],
          assets: [...history.assets],
        })
        const answers = await finishedAnswers(history.engine, reads)
        await takeAll(history, after)
        expect(await answersTo(history.engine, reads)).toEqual(answers)
      }),
      runs(12),
    )
  })

  // Steps that rename categories are left out: an item in a package shows the current names of its
  // categories.
  it('keeps showing its own content, whatever main does', async () => {
    await fc.assert(
      fc.asyncProperty(everywhere, onMainButNames, async (before, after) => {
        const history = await open()
        await takeAll(history, before)
        const { engine } = history
        const reads = await readsOfHeld(engine.api, 'one')
        const answers = await finishedAnswers(engine, reads)
        const differences = await differencesIn(engine.api, 'one')
        await takeAll(history, after)
        expect(await answersTo(engine, reads)).toEqual(answers)
        expect(await differencesIn(engine.api, 'one')).toEqual(differences)
      }),
      runs(40),
    )
  })
})

describe('a dry run', () => {
  const operations = {
    merge: (api: Api, input: object) => api.packages.merge({ ...one, ...input }),
    publishingMerge: (api: Api, input: object) => api.packages.merge({ ...one, publish: true, ...input }),
    sync: (api: Api, input: object) => api.packages.sync({ ...one, ...input }),
  }

  it.each(['merge', 'publishingMerge', 'sync'] as const)(
    'of %s changes nothing and predicts the result of the run',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(everywhere, fc.nat(), async (steps, seed) => {
          const [dry, running] = await openTwins(steps)
          const { items } = await dry.api.packages.conflicts(one)
          await running.api.packages.conflicts(one)
          const resolutions = seed % 2 === 0 ? [] : settlementsOf(items, seed)
          await expectDryRun([dry, running], (api, dryRun) =>
            operations[name](api, { resolutions, ...dryRun }),
          )
        }),
        runs(40),
      )
    },
  )

  it('of a revert changes nothing and predicts the result of the run', async () => {
    await fc.assert(
      fc.asyncProperty(inOne, onMain, async (steps, after) => {
        const [left, right] = [await open(), await open()]
        for (const history of [left, right]) {
          await takeAll(history, steps)
          await outcomeOf(history.engine.api.packages.merge(one))
          await takeAll(history, after)
        }
        await expectDryRun([left.engine, right.engine], (api, dryRun) =>
          api.packages.revert({ ...one, ...dryRun }),
        )
      }),
      runs(40),
    )
  })

  it('of a delete changes nothing and lists what would be deleted', async () => {
    await fc.assert(
      fc.asyncProperty(everywhere, async (steps) => {
        const history = await open()
        await takeAll(history, steps)
        const { api, store } = history.engine
        const [found, { count }] = [await api.packages.get(one), await api.packages.changes(one)]
        const before = await textOfStore(store)
        expect(await api.packages.delete({ ...one, dryRun: true })).toEqual({
          deleted: found,
          changes: count,
        })
        expect(await textOfStore(store)).toBe(before)
        expect(await api.packages.delete(one)).toBeUndefined()
        const { items } = await api.packages.list({ repo, state: 'deleted' })
        expect(items).toEqual([{ ...found, state: 'deleted', updatedDate: expect.any(Number) }])
      }),
      runs(20),
    )
  })

  it('of dropping a change changes nothing and lists what would be dropped', async () => {
    await fc.assert(
      fc.asyncProperty(everywhere, fc.nat(), async (steps, at) => {
        const [dry, running] = await openTwins(steps)
        const { items } = await dry.api.packages.changes(one)
        await running.api.packages.changes(one)
        const change = items[at % items.length]
        const input = { ...one, entityId: change?.entity.id ?? 'CONT_none' }
        const before = await textOfStore(dry.store)
        const foretold = await outcomeOf(dry.api.packages.removeChange({ ...input, dryRun: true }))
        expect(await textOfStore(dry.store)).toBe(before)
        const dropped = await outcomeOf(running.api.packages.removeChange(input))
        expect(foretold).toEqual(dropped.code === 'done' ? { code: 'done', answer: change } : dropped)
        const { items: left } = await running.api.packages.changes(one)
        expect(left).toEqual(items.filter((other) => dropped.code !== 'done' || other !== change))
      }),
      runs(30),
    )
  })
})

describe('a merge', () => {
  it('without conflicts is complete: main then shows what the package showed, as a new version', async () => {
    await fc.assert(
      fc.asyncProperty(onMain, inOne, async (before, steps) => {
        const history = await open()
        await takeAll(history, before)
        await takeAll(history, steps)
        const { api, store } = history.engine
        const ids = (await api.packages.changes({ ...one, limit: 1000 })).items.map(({ entity }) => entity.id)
        const was = await mainOf(history)
        const wanted = await Promise.all(ids.map((id) => wantedOnMain(history.engine, id, was.get(id))))
        fc.pre((await outcomeOf(api.packages.merge(one))).code === 'done')
        expect(await Promise.all(ids.map((id) => visibleOn(history.engine, id)))).toEqual(wanted)
        const main = await mainOf(history)
        const beside = (contents: ReadonlyMap<string, MainContent>) =>
          [...contents].filter(([id]) => !ids.includes(id))
        expect(beside(main)).toEqual(beside(was))
        expectSoundTrees(main)
        for (const [id, is] of main) expect([id, is.version]).toEqual([id, expectedVersion(was.get(id), is)])
        expect(await mergesOf(store)).toBe(1)
      }),
      runs(60),
    )
  })

  it('requested fifty times at once happens once', async () => {
    const history = await open()
    const { api, store } = history.engine
    await takeAll(history, fc.sample(inOne, { numRuns: 3, seed: 1 }).flat())
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(api.packages.merge(one))))
    expect(outcomes.map(({ code }) => code).toSorted()).toEqual([
      'done',
      ...Array.from({ length: 49 }, () => 'invalid_state'),
    ])
    expect(await mergesOf(store)).toBe(1)
  })

  it('succeeds once every conflict is resolved, within a few rounds', async () => {
    let settled = 0
    await fc.assert(
      fc.asyncProperty(everywhere, everywhere, fc.nat(), async (before, after, seed) => {
        const history = await open()
        await takeAll(history, before)
        await takeAll(history, after)
        const rounds = await resolveAndMerge(history.engine.api, one, seed)
        if (rounds > 0) settled += 1
        expect(rounds).toBeLessThanOrEqual(5)
        expectSoundTrees(await mainOf(history))
      }),
      runs(80),
    )
    expect(settled).toBeGreaterThan(10)
  })
})

describe('a sync', () => {
  it('brings the package up to main, and the merge after it has the result of a merge alone', async () => {
    await fc.assert(
      fc.asyncProperty(everywhere, everywhere, async (before, after) => {
        const [left, right] = [await open(), await open()]
        for (const history of [left, right]) await takeAll(history, [...before, ...after])
        const { packages } = right.engine.api
        fc.pre((await outcomeOf(left.engine.api.packages.merge(one))).code === 'done')
        const { code } = await outcomeOf(packages.sync(one))
        // Main exchanged slugs or names among entities in the package, which a sync refuses.
        fc.pre(code !== 'slug_taken' && code !== 'name_taken')
        expect(code).toBe('done')
        expect(
          (await packages.changes({ ...one, limit: 1000 })).items.filter((change) => change.mainMoved),
        ).toEqual([])
        expect((await packages.sync(one)).changes).toEqual([])
        await packages.merge(one)
        expect(unnumbered(await mainOf(right))).toEqual(unnumbered(await mainOf(left)))
      }),
      runs(60),
    )
  })
})

describe('a revert that is merged', () => {
  it('restores main, when main did not change in between', async () => {
    // Each rename gets a unique slug, because slugs that are exchanged cannot always be reverted.
    const slugs = (steps: readonly Step[]) =>
      steps.map((step, index) => (step.does === 'rename' ? { ...step, value: 1000 + index } : step))
    await fc.assert(
      fc.asyncProperty(onMain, inOne, async (before, steps) => {
        const history = await open()
        await takeAll(history, before)
        const was = await mainOf(history)
        await takeAll(history, slugs(steps))
        const { packages } = history.engine.api
        fc.pre((await outcomeOf(packages.merge(one))).code === 'done')
        const { name } = await packages.revert(one)
        const { code, error } = await outcomeOf(packages.merge({ repo, packageName: name }))
        fc.pre(!isStillReferred(error?.conflicts))
        expect(code).toBe('done')
        const is = await mainOf(history)
        for (const [id, content] of is) {
          const before = was.get(id)
          expect([id, revertible(content, before)]).toEqual([
            id,
            before ? revertible(before, before) : { deleted: true },
          ])
        }
      }),
      {
        ...runs(80),
        // The revert returns undeleted items to a state that names a deleted category, before it
        // restores that category.
        examples: [
          [[step(null, 'delete')], [step('one', 'undelete'), step('one', 'deleteCategory', 10)]],
          [
            [step(null, 'delete'), step(null, 'deleteCategory', 4)],
            [step('one', 'undelete'), step('one', 'rename')],
          ],
        ],
      },
    )
  })
})

/**
 * Every live entity has live ancestors up to the root, without cycles, and no two siblings have the
 * same name.
 */
function expectSoundTrees(main: ReadonlyMap<string, MainContent>): void {
  const living = new Map([...main].filter(([, { deleted }]) => !deleted))
  const names = new Set<string>()
  for (const [id, { kind, name, parentId }] of living) {
    const climbed = [id]
    for (let above = parentId; above !== null; above = living.get(above)?.parentId ?? null) {
      expect([living.has(above), climbed.includes(above)]).toEqual([true, false])
      climbed.push(above)
    }
    if (kind === 'item') continue
    const key = `${kind} ${parentId} ${name.toLowerCase()}`
    expect([key, names.has(key)]).toEqual([key, false])
    names.add(key)
  }
}

type DryRun = { readonly dryRun?: boolean }

/** Both engines answer the same, and the one with the dry run is unchanged. */
async function expectDryRun(
  [dry, running]: readonly [MagazineEngine, MagazineEngine],
  work: (api: Api, dryRun: DryRun) => Promise<unknown>,
): Promise<void> {
  const before = await textOfStore(dry.store)
  const foretold = await outcomeOf(work(dry.api, { dryRun: true }))
  expect(await textOfStore(dry.store)).toBe(before)
  expect(foretold).toEqual(await outcomeOf(work(running.api, {})))
}

async function mainOf({ engine: { api, store } }: History): Promise<ReadonlyMap<string, MainContent>> {
  return contentsOfMain(store, (await api.repositories.get({ id: repo })).id)
}

async function mergesOf({ journal }: MagazineEngine['store']): Promise<number> {
  const rows = await journal.read({ after: 0, limit: 1000 })
  return rows.filter(({ event }) => event === 'PACKAGE_MERGED').length
}

function unnumbered(main: ReadonlyMap<string, MainContent>) {
  return new Map([...main].map(([id, { version: _version, ...content }]) => [id, content]))
}

/** What main must show of an entity after the package is merged. */
async function wantedOnMain(
  engine: MagazineEngine,
  id: string,
  was: MainContent | undefined,
): Promise<unknown> {
  const visible = await visibleOn(engine, id, 'one')
  if (!visible || !(await isOldPublished(engine.api, id, 'one'))) return visible
  return { ...visible, isPublished: was?.isPublished ?? false }
}

/** The version rises by one if the content of main changed, and else stays. */
function expectedVersion(was: MainContent | undefined, is: MainContent): number {
  if (!was) return 1
  return was.version + Number(was.given !== is.given)
}

const danglingKinds: ReadonlySet<unknown> = new Set(['referenced', 'missing_target'])

/** Whether the revert conflicts because something that the merge restored is still referenced. */
function isStillReferred(conflicts: readonly object[] = []): boolean {
  return (
    conflicts.length > 0 &&
    conflicts.every((conflict) => 'kind' in conflict && danglingKinds.has(conflict.kind))
  )
}

/**
 * What a revert must restore. A published version behind a newer draft cannot be published again
 * once another version was.
 */
function revertible(content: MainContent, was: MainContent | undefined) {
  const { given, archived, deleted, isPublished } = content
  if (!was || was.deleted) return { deleted }
  return { given, archived, deleted, ...(!was.isBehind && { isPublished }) }
}
