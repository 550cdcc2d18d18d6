import { createQuire } from '@quire/core'
import { createMemoryStore, fixedClock, seededIds } from '@quire/core/memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contentOf, exported, importInto } from '../api/branches/transfer-steps.ts'
import { beginHistory, stepsOn, takeAll, type History, type Step } from './history.ts'
import { caller, openMagazine, repo, type MagazineEngine } from './magazine-engine.ts'
import { outcomeOf } from './outcome.ts'
import { contentsOfMain, type MainContent } from './store-text.ts'

const onMain = stepsOn([null])
const create = (value: number): Step => ({ does: 'create', on: null, item: 0, value })
// Here a new item has the slug that another has in the file.
const renamedAndReplaced: Step[] = [{ does: 'rename', on: null, item: 10, value: 0 }, create(2)]
const ref = { repo, packageName: 'from there' }

/** Another installation, with an empty repository of the same name, in which it is a day later. */
async function openElsewhere({ engine: { clock, ...engine } }: History): Promise<MagazineEngine> {
  const store = createMemoryStore()
  const later = fixedClock(clock.now() + 86_400_000)
  const quire = createQuire({ store, clock: later, ids: seededIds(2, later) })
  const api = quire.as(caller)
  await api.repositories.create({ name: repo, displayName: 'The Magazine' })
  return { ...engine, quire, store, api, clock: later }
}

/** The history goes on in another installation, from what was exported there. */
async function continued(history: History, file: Uint8Array): Promise<History> {
  const engine = await openElsewhere(history)
  await importInto(engine.api, file)
  // Steps need the types of items that nobody has there yet.
  const { items: types } = await history.engine.api.types.list({})
  for (const { name, settings, fields } of types)
    await outcomeOf(engine.api.types.create({ name, settings, fields }))
  const { ids, assets, folders, categories } = history
  return { engine, ids: [...ids], assets: [...assets], folders: [...folders], categories: [...categories] }
}

async function mainOf({ api, store }: MagazineEngine): Promise<ReadonlyMap<string, MainContent>> {
  return contentsOfMain(store, (await api.repositories.get({ id: repo })).id)
}

/**
 * Contents and states. A package does not publish an older content than that of its draft, so it is
 * left out whether that is published.
 */
function comparable(main: ReadonlyMap<string, MainContent>, behind: ReadonlySet<string>) {
  return new Map(
    [...main].map(([id, { version: _version, isBehind: _behind, isPublished, ...content }]) => [
      id,
      behind.has(id) ? content : { ...content, isPublished },
    ]),
  )
}

async function withHistory(steps: Parameters<typeof takeAll>[1]): Promise<History> {
  const history = await beginHistory(await openMagazine())
  await takeAll(history, steps)
  return history
}

it('an export that was imported into an empty installation is exported as the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(onMain, async (steps) => {
      const history = await withHistory(steps)
      const file = await exported(history.engine.api, { history: true })
      const { engine } = await continued(history, file)
      expect(contentOf(await exported(engine.api, { history: true }))).toEqual(contentOf(file))
      const { counts } = await importInto(engine.api, file)
      expect(counts).toMatchObject({ create: 0, update: 0, refuse: 0, conflicts: 0 })
    }),
    { numRuns: 40 },
  )
})

it('an older export of the same repository changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(onMain, onMain, async (steps, after) => {
      const history = await withHistory(steps)
      const { api } = history.engine
      const older = await exported(api)
      await takeAll(history, after)
      const before = await mainOf(history.engine)
      const { counts } = await importInto(api, older)
      expect(counts).toMatchObject({ create: 0, update: 0, delete: 0, refuse: 0, conflicts: 0 })
      expect(await mainOf(history.engine)).toEqual(before)
    }),
    { numRuns: 40 },
  )
})

it('an import has the result of a package that is merged', async () => {
  let merged = 0
  await fc.assert(
    fc.asyncProperty(onMain, onMain, onMain, async (steps, here, there) => {
      const [left, right] = [await withHistory(steps), await withHistory(steps)]
      const [first] = [await exported(left.engine.api), await exported(right.engine.api)]
      const other = await continued(left, first)
      // Both engines get the same calls, so that they give the same ids.
      await right.engine.api.types.list({})
      await takeAll(other, there)
      const file = await exported(other.engine.api)
      for (const history of [left, right]) await takeAll(history, here)
      const { code } = await outcomeOf(importInto(left.engine.api, file))
      fc.pre(code === 'done')
      const { counts } = await importInto(right.engine.api, file, { package: ref.packageName })
      const found = await outcomeOf(right.engine.api.packages.merge(ref))
      // Without a change there is no package.
      const isMerged = counts.create + counts.update > 0
      expect(found.code).toBe(isMerged ? 'done' : 'not_found')
      const [straight, reviewed] = [await mainOf(left.engine), await mainOf(right.engine)]
      const behind = new Set([...straight].flatMap(([id, { isBehind }]) => (isBehind ? [id] : [])))
      expect(comparable(straight, behind)).toEqual(comparable(reviewed, behind))
      merged += 1
    }),
    { numRuns: 25, examples: [[[], renamedAndReplaced, [create(0)]]] },
  )
  expect(merged).toBeGreaterThan(5)
}, 60_000)
