import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Principal } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import { graphqlChanges, graphqlQuestions } from './graphql-questions.ts'
import { assetQuestions, itemQuestions, listQuestions, peopleQuestions, type Question } from './questions.ts'
import { searchQuestions } from './search-questions.ts'
import { structureQuestions } from './structure-questions.ts'
import type { Caller } from './world-callers.ts'
import type { Hidden } from './world-plan.ts'
import { openWorld, type World } from './world.ts'

type Worlds = readonly [World, World]

const folder = mkdtempSync(join(tmpdir(), 'quire-oracle-'))
const opened: World[] = []
let files = 0

afterAll(async () => {
  for (const { quire } of opened) await quire.close()
  rmSync(folder, { recursive: true, force: true })
})

const stores: readonly (readonly [string, () => Promise<Store>])[] = [
  ['memory', async () => createMemoryStore()],
  ['SQLite', async () => openSqliteStore({ file: join(folder, `${++files}.db`) })],
]

/** The callers, and the kinds of content that they may not read. */
const callers: readonly (readonly [Caller, readonly Hidden[]])[] = [
  ['typed reader', ['limited', 'types', 'packages', 'structure']],
  ['typed editor', ['limited', 'types']],
  ['reader', ['limited', 'packages']],
  ['anonymous caller', ['limited', 'packages', 'drafts', 'people', 'structure']],
]

// Up to 10 s on two busy cores.
const timeout = 120_000

/**
 * The operations that must distinguish the worlds for an account that may read everything.
 * Otherwise their questions are too weak.
 */
const reporting = [
  'items.list',
  'items.get',
  'items.delete',
  'items.bulk',
  'published.items',
  'assets.get',
  'folders.list',
  'folders.tree',
  'folders.get',
  'folders.delete',
  'taxonomies.delete',
  'categories.list',
  'categories.get',
  'categories.delete',
  'references.items',
  'dependencies.get',
  'activity.get',
  'activity.list',
  'queries.run',
  'queries.runSaved',
  'packages.changes',
  'admin.index',
  'graphql.execute',
  'graphql.schema',
]

/** The minimum number of requests to each world. */
const fewest = 2000

describe.each(stores)('two worlds on %s', (_name, openStore) => {
  const openBoth = async (caller: Caller, hides: readonly Hidden[]): Promise<Worlds> => {
    const plan = { caller, hides: new Set(hides) }
    const worlds = [
      await openWorld(await openStore(), { ...plan, variant: 0 }),
      await openWorld(await openStore(), { ...plan, variant: 1 }),
    ] as const
    opened.push(...worlds)
    return worlds
  }

  it.each(callers)('look the same to the %s', { timeout }, async (caller, hides) => {
    const worlds = await openBoth(caller, hides)
    expect(worlds[0].ids).toEqual(worlds[1].ids)
    expect(worlds[0].structure).toEqual(worlds[1].structure)
    const hidden = worlds[0].ids.slice(-2)
    const questions = [...questionsOf(caller, worlds[0]), ...graphqlChanges(hidden)]
    const { differences, crashes, asked, granted } = await compare(
      worlds,
      questions,
      ({ principal }) => principal,
    )
    expect(crashes.slice(0, 5)).toEqual([])
    expect(firstOfEach(differences)).toEqual([])
    expect(asked).toBeGreaterThanOrEqual(fewest)
    // A comparison that consists mostly of refusals would prove nothing.
    expect(granted).toBeGreaterThan(asked / 4)
  })

  it('look different to an account that may read everything', { timeout }, async () => {
    const hides = ['limited', 'types', 'packages', 'drafts', 'people', 'structure'] as const
    const worlds = await openBoth('typed editor', hides)
    const isSampled = (question: Question) =>
      /admin|assets|graphql|packages/.test(question.group) || isInSample(question)
    const questions = questionsOf('typed editor', worlds[0]).filter(isSampled)
    const { differences } = await compare(worlds, questions, ({ insider }) => insider)
    expect(differences.length).toBeGreaterThan(questions.length / 4)
    const reported = firstOfEach(differences).map(({ operation }) => operation)
    expect(reported).toEqual(expect.arrayContaining(reporting))
  })
})

/** Chooses a fifth of the questions. New questions do not change which of the others are chosen. */
function isInSample(question: Question): boolean {
  const [first = 0] = createHash('sha256').update(JSON.stringify(question)).digest()
  return first % 5 === 0
}

function questionsOf(caller: Caller, { ids, structure }: World): Question[] {
  const published = listQuestions('published', ids)
  const items = [
    ...itemQuestions(ids),
    ...assetQuestions(ids),
    ...peopleQuestions(),
    ...graphqlQuestions(ids),
  ]
  const found = [...searchQuestions(), ...structureQuestions(ids, structure)]
  // Anonymous callers are refused everything that is not published, always in the same way.
  if (caller === 'anonymous caller')
    return [...published, ...items, ...found.filter((_, index) => index % 20 === 0)]
  const some = published.filter((_, index) => index % 2 === 0)
  return [...listQuestions('items', ids), ...some, ...items, ...found]
}

interface Difference {
  readonly question: Question
  readonly difference: readonly [string, string]
}

/** One difference per operation. */
function firstOfEach(differences: readonly Difference[]) {
  const byOperation = Map.groupBy(
    differences,
    ({ question: { group, operation } }) => `${group}.${operation}`,
  )
  return [...byOperation].map(([operation, all]) => ({ operation, count: all.length, first: all[0] }))
}

interface Compared {
  readonly differences: Difference[]
  readonly crashes: object[]
  /** Requests to each world, and how many of them were granted. */
  readonly asked: number
  readonly granted: number
}

async function compare(
  [one, other]: Worlds,
  questions: readonly Question[],
  userIn: (world: World) => Principal,
): Promise<Compared> {
  const differences: Difference[] = []
  const crashes: object[] = []
  let asked = 0
  let granted = 0
  for (const question of questions) {
    const first = await ask(one.quire, userIn(one), question)
    const second = await ask(other.quire, userIn(other), question)
    asked += first.texts.length
    granted += first.texts.filter((text) => !isRefusal(text)).length
    if (first.isCrash || second.isCrash) crashes.push({ question, first, second })
    const difference = differenceOf(first.texts.join('\n'), second.texts.join('\n'))
    if (difference) differences.push({ question, difference })
  }
  return { differences, crashes, asked, granted }
}

/** A document with errors may contain both refused and granted parts. */
function isRefusal(text: string): boolean {
  return text.startsWith('{"code"') || text.includes('"errors":[{')
}

/** The first difference of two texts, with its surroundings; null if they are equal. */
function differenceOf(one: string, other: string): readonly [string, string] | null {
  if (one === other) return null
  let at = 0
  while (one[at] === other[at]) at += 1
  const from = Math.max(0, at - 120)
  return [one.slice(from, from + 240), other.slice(from, from + 240)]
}
