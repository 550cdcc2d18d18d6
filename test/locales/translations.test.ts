import { equal, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QuireError, type Api } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore, fixedClock } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'quire-translations-'))
let files = 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const configId = 'magazine'

type Deed =
  | 'write'
  | 'confirm'
  | 'restore'
  | 'publish'
  | 'unpublish'
  | 'archive'
  | 'unarchive'
  | 'merge'
  | 'import'

/** A change of the only item, on main or in the package. */
interface Change {
  readonly deed: Deed
  readonly inPackage: boolean
  readonly source: string | undefined
  readonly translation: string | undefined
  /** A version that is restored, or that a writer has seen. */
  readonly number: number
  /** Whether the writer has seen that version instead of the newest one. */
  readonly isLate: boolean
}

const aChange: fc.Arbitrary<Change> = fc.record({
  deed: fc.oneof(
    { weight: 8, arbitrary: fc.constant<Deed>('write') },
    { weight: 3, arbitrary: fc.constantFrom<Deed>('confirm', 'restore', 'merge') },
    { weight: 2, arbitrary: fc.constantFrom<Deed>('publish', 'unpublish', 'archive', 'unarchive', 'import') },
  ),
  inPackage: fc.boolean(),
  source: fc.option(fc.constantFrom('One', 'Two', 'Three'), { nil: undefined }),
  translation: fc.option(fc.constantFrom('Eins', 'Zwei'), { nil: undefined }),
  number: fc.nat(8),
  isLate: fc.boolean(),
})

/** The source that a translation was made or last confirmed against, and when. */
interface Note {
  readonly source: string
  readonly date: number
  readonly isConfirmed: boolean
}

/** What the law says of one branch, or of one version. */
interface Model {
  readonly source: string
  readonly translation: string | undefined
  readonly notes: Readonly<Record<string, Note>>
}

function stateOf({ source, translation, notes }: Model): string {
  if (translation === undefined) return 'missing'
  return notes[translation]?.source === source ? 'current' : 'outdated'
}

function latest(...all: readonly Model['notes'][]): Model['notes'] {
  const found: Record<string, Note> = {}
  for (const [translation, note] of all.flatMap((notes) => Object.entries(notes))) {
    const other = found[translation]
    if (!other || note.date > other.date) found[translation] = note
  }
  return found
}

function written(before: Model, { source, translation }: Change, date: number): Model {
  const next = { source: source ?? before.source, translation: translation ?? before.translation }
  if (translation === undefined || translation === before.translation) return { ...next, notes: before.notes }
  const note = { source: next.source, date, isConfirmed: false }
  return { ...next, notes: { ...before.notes, [translation]: note } }
}

/** A translation that is not there any more has a note only if it was confirmed. */
function retained({ translation, notes }: Model): Model['notes'] {
  return Object.fromEntries(
    Object.entries(notes).filter(([one, { isConfirmed }]) => one === translation || isConfirmed),
  )
}

/** What a writer who has seen an older version leaves; null if others have changed the same. */
function mergedModel(head: Model, base: Model, ours: Model): Model | null {
  const keys = ['source', 'translation'] as const
  const isChanged = (key: (typeof keys)[number]) =>
    ours[key] !== base[key] && head[key] !== base[key] && ours[key] !== head[key]
  if (keys.some(isChanged)) return null
  const pick = <K extends (typeof keys)[number]>(key: K): Model[K] =>
    (ours[key] === base[key] ? head : ours)[key]
  return {
    source: pick('source'),
    translation: pick('translation'),
    notes: latest(retained(head), retained(ours)),
  }
}

function codeOf(error: unknown): 'version_conflict' {
  ok(error instanceof QuireError && error.code === 'version_conflict', String(error))
  return error.code
}

/** A merge is refused only for values that both sides changed, or for what is published. */
function requireConflict(error: unknown, sides: { base: Model; ours: Model; theirs: Model }): void {
  const { base, ours, theirs } = sides
  const isChanged = (key: 'source' | 'translation') =>
    ours[key] !== base[key] && theirs[key] !== base[key] && ours[key] !== theirs[key]
  const known = new Set([
    'publishedVersion',
    ...(isChanged('source') ? ['fields.title.en'] : []),
    ...(isChanged('translation') ? ['fields.title.de'] : []),
  ])
  const paths = error instanceof QuireError ? (error.conflicts ?? []).map(({ path }) => path) : []
  ok(paths.length > 0 && paths.every((path) => known.has(path)), `${String(error)} ${paths.join()}`)
}

/** One item on main and in a package, as the law has it, and as Quire has it. */
class History {
  readonly versions = new Map<string, Model>()
  main: Model = { source: 'One', translation: undefined, notes: {} }
  inPackage: { base: Model; ours: Model } | null = null
  packageName = 'review 0'
  packages = 0
  readonly api: Api
  readonly id: string
  readonly now: () => number

  constructor(api: Api, id: string, now: () => number) {
    this.api = api
    this.id = id
    this.now = now
    this.versions.set('main 1', this.main)
  }

  branch(isPackage: boolean): Model {
    return isPackage ? (this.inPackage?.ours ?? this.main) : this.main
  }

  set(isPackage: boolean, model: Model): void {
    if (!isPackage) this.main = model
    else this.inPackage = { base: this.inPackage?.base ?? this.main, ours: model }
  }

  /** The address of a branch. */
  on(isPackage: boolean) {
    return { configId, ...(isPackage && { packageName: this.packageName }) }
  }

  async run(change: Change): Promise<void> {
    const { deed, inPackage } = change
    if (deed === 'merge') await this.merge()
    else if (deed === 'write') await this.write(inPackage, change)
    else if (deed === 'confirm') await this.confirm(inPackage)
    else if (deed === 'restore') await this.restore(inPackage, change.number)
    else if (deed === 'import') await this.import()
    else await this.setState(inPackage, deed)
  }

  async write(isPackage: boolean, change: Change): Promise<void> {
    const { source, translation, number } = change
    const title = { ...(source && { en: source }), ...(translation && { de: translation }) }
    if (Object.keys(title).length === 0) return
    const branch = isPackage ? 'package' : 'main'
    const head = this.branch(isPackage)
    const base = change.isLate ? this.versions.get(`${branch} ${number}`) : undefined
    const next = base
      ? mergedModel(head, base, written(base, change, this.now()))
      : written(head, change, this.now())
    const input = { ...this.on(isPackage), id: this.id, ...(base && { baseVersion: number }) }
    const saved = await this.api.items.update({ ...input, locale: '*', fields: { title } }).catch(codeOf)
    if (saved === 'version_conflict' || next === null) return equal(saved, next ?? 'version_conflict')
    this.set(isPackage, next)
    this.versions.set(`${branch} ${saved.currentVersion}`, next)
  }

  async confirm(isPackage: boolean): Promise<void> {
    const before = this.branch(isPackage)
    const { source, translation } = before
    if (translation === undefined || stateOf(before) === 'current') return
    await this.api.translations.confirm({ ...this.on(isPackage), itemId: this.id, locale: 'de' })
    const note = { source, date: this.now(), isConfirmed: true }
    this.set(isPackage, { ...before, notes: { ...before.notes, [translation]: note } })
  }

  /** Imports what was exported a moment ago. */
  async import(): Promise<void> {
    const file = await (await this.api.repositories.export({ id: configId })).bytes()
    await this.api.repositories.import({ id: configId, file: new File([Uint8Array.from(file)], 'x.zip') })
  }

  async setState(isPackage: boolean, deed: 'publish' | 'unpublish' | 'archive' | 'unarchive'): Promise<void> {
    const done = await this.api.items[deed]({ ...this.on(isPackage), id: this.id }).catch(() => null)
    if (done) this.set(isPackage, this.branch(isPackage))
  }

  /** A restored translation has the note that it had, or a later one. */
  async restore(isPackage: boolean, number: number): Promise<void> {
    const version = this.versions.get(`${isPackage ? 'package' : 'main'} ${number}`)
    if (!version) return
    const before = this.branch(isPackage)
    const { currentVersion } = await this.api.items.restore({
      ...this.on(isPackage),
      id: this.id,
      version: number,
    })
    const next = { ...version, notes: latest(retained(before), retained(version)) }
    this.set(isPackage, next)
    this.versions.set(`${isPackage ? 'package' : 'main'} ${currentVersion}`, next)
  }

  async merge(): Promise<void> {
    const merging = this.inPackage
    if (!merging) return
    const { base, ours } = merging
    const refused = await this.api.packages.merge({ repo: configId, packageName: this.packageName }).then(
      () => null,
      (error: unknown) => error,
    )
    if (refused) {
      requireConflict(refused, { base, ours, theirs: this.main })
      await this.api.packages.delete({ repo: configId, packageName: this.packageName })
    } else {
      const pick = <K extends 'source' | 'translation'>(key: K) =>
        ours[key] === base[key] ? this.main[key] : ours[key]
      const notes = latest(retained(this.main), retained(ours))
      this.main = { source: pick('source'), translation: pick('translation'), notes }
      const { currentVersion } = await this.api.items.get({ configId, id: this.id })
      if (!this.versions.has(`main ${currentVersion}`)) this.versions.set(`main ${currentVersion}`, this.main)
    }
    for (const key of this.versions.keys()) if (key.startsWith('package')) this.versions.delete(key)
    this.inPackage = null
    await this.openPackage()
  }

  async openPackage(): Promise<void> {
    this.packageName = `review ${(this.packages += 1)}`
    await this.api.packages.create({ repo: configId, name: this.packageName })
  }

  async check(): Promise<void> {
    for (const isPackage of [false, true]) {
      const on = this.on(isPackage)
      const { items } = await this.api.translations.list(on)
      const { isArchived } = await this.api.items.get({ ...on, id: this.id })
      const expected = isArchived ? undefined : stateOf(this.branch(isPackage))
      equal(items[0]?.translations[0]?.state, expected, isPackage ? 'in the package' : 'on main')
    }
  }
}

async function open(store: Store) {
  const clock = fixedClock(Date.UTC(2026, 0, 1))
  const quire = createQuire({ store, clock })
  const api = quire.as(systemIdentity('test'))
  const locales = { default: 'en', list: ['en', 'de'].map((code) => ({ code, name: code })) }
  await api.repositories.create({ name: configId, settings: { locales } })
  await api.types.create({ name: 'story', fields: [{ name: 'title', kind: 'text', localized: true }] })
  const { id } = await api.items.create({
    repositoryId: configId,
    type: 'story',
    name: 'Ink',
    fields: { title: 'One' },
  })
  const history = new History(api, id, () => clock.now())
  await history.openPackage()
  return { quire, clock, history }
}

describe.each([
  ['memory', async () => createMemoryStore(), 60],
  ['SQLite', () => openSqliteStore({ file: join(folder, `${(files += 1)}.db`) }), 15],
] as const)('the states of translations on %s', (_name, openStore, numRuns) => {
  it('are those of the law, after any history', async () => {
    let outdated = 0
    await fc.assert(
      fc.asyncProperty(fc.array(aChange, { minLength: 5, maxLength: 30, size: 'max' }), async (changes) => {
        const { quire, clock, history } = await open(await openStore())
        for (const change of changes) {
          clock.advance(1000)
          await history.run(change)
          await history.check()
          outdated += Number(stateOf(history.main) === 'outdated')
        }
        await quire.close()
      }),
      { numRuns },
    )
    expect(outdated).toBeGreaterThan(numRuns)
  }, 120_000)
})
