import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Who } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import { assetQuestions, itemQuestions, listQuestions, peopleQuestions, type Question } from './questions.ts'
import { openWorld, type Hidden, type World, type WorldPlan } from './world.ts'

type Caller = WorldPlan['caller']
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

/** Who asks, and what they may not read. */
const callers: readonly (readonly [Caller, readonly Hidden[]])[] = [
  ['typed reader', ['limited', 'types', 'packages']],
  ['reader', ['limited', 'packages']],
  ['nobody', ['limited', 'packages', 'drafts', 'people']],
]

/** Fewest requests that each world must be asked. */
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

  it.each(callers)('are one to the %s', async (caller, hides) => {
    const worlds = await openBoth(caller, hides)
    expect(worlds[0].ids).toEqual(worlds[1].ids)
    const questions = questionsOf(caller, worlds[0].ids)
    const { differences, crashes, asked, granted } = await compare(worlds, questions, ({ who }) => who)
    expect(crashes.slice(0, 5)).toEqual([])
    expect(differences.slice(0, 5)).toEqual([])
    expect(asked).toBeGreaterThanOrEqual(fewest)
    // A comparison of refusals alone would say nothing.
    expect(granted).toBeGreaterThan(asked / 4)
  })

  it('are two to who may read all', async () => {
    const [caller, hides] = ['typed reader', ['limited', 'types', 'packages', 'drafts', 'people']] as const
    const worlds = await openBoth(caller, hides)
    const questions = questionsOf(caller, worlds[0].ids).filter((_, index) => index % 20 === 0)
    const { differences } = await compare(worlds, questions, ({ insider }) => insider)
    expect(differences.length).toBeGreaterThan(questions.length / 4)
  })
})

function questionsOf(caller: Caller, ids: readonly string[]): Question[] {
  const published = listQuestions('published', ids)
  return [
    ...(caller === 'nobody'
      ? published
      : [...listQuestions('items', ids), ...published.filter((_, index) => index % 2 === 0)]),
    ...itemQuestions(ids),
    ...assetQuestions(ids),
    ...peopleQuestions(),
  ]
}

interface Compared {
  readonly differences: object[]
  readonly crashes: object[]
  /** Requests to each world, and how many were granted. */
  readonly asked: number
  readonly granted: number
}

async function compare(
  [one, other]: Worlds,
  questions: readonly Question[],
  whoIn: (world: World) => Who,
): Promise<Compared> {
  const differences: object[] = []
  const crashes: object[] = []
  let asked = 0
  let granted = 0
  for (const question of questions) {
    const first = await ask(one.quire, whoIn(one), question)
    const second = await ask(other.quire, whoIn(other), question)
    asked += first.texts.length
    granted += first.texts.filter((text) => !text.startsWith('{"code"')).length
    if (first.isCrash || second.isCrash) crashes.push({ question, first, second })
    const difference = differenceOf(first.texts.join('\n'), second.texts.join('\n'))
    if (difference) differences.push({ question, difference })
  }
  return { differences, crashes, asked, granted }
}

/** Where two texts begin to differ, with what stands around it; null when they are one. */
function differenceOf(one: string, other: string): readonly [string, string] | null {
  if (one === other) return null
  let at = 0
  while (one[at] === other[at]) at += 1
  const from = Math.max(0, at - 120)
  return [one.slice(from, from + 240), other.slice(from, from + 240)]
}
