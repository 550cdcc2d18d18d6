import { QuireError, type Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { prepareMagazine } from './content.ts'
import { reviewLines } from './review.ts'
import { mergeWith, oursForFields, springIssue } from './spring-issue.ts'

const configId = 'magazine'
const ref = { repo: configId, packageName: 'edits' }

let engine: Quire
let quire: Api

beforeEach(() => {
  engine = createQuire({ store: createMemoryStore() })
  quire = engine.as(systemIdentity('test'))
})

afterEach(() => engine.close())

async function anEditedArticle(): Promise<{ configId: string; id: string; packageName: string }> {
  const { ink: id } = await prepareMagazine(quire)
  await quire.packages.create({ repo: configId, name: ref.packageName })
  const ours = { configId, id, packageName: ref.packageName }
  await quire.items.update({ ...ours, fields: { readingMinutes: 7 } })
  return ours
}

it('follows a package from its first edit to its revert', async () => {
  const reported: string[] = []
  await springIssue(quire, (line) => reported.push(line))
  expect(reported).toEqual([
    'main, while the package is open',
    '  v1 published {"title":"In the margins","readingMinutes":5}',
    '  v1 published {"title":"Ink that remembers","readingMinutes":5}',
    'changes of the package',
    '  update article "Ink that forgets", main has moved',
    '    name: "Ink that remembers" → "Ink that forgets"',
    '    fields.title: "Ink that remembers" → "Ink that forgets"',
    '    fields.readingMinutes: 5 → 7',
    '  delete article "In the margins"',
    '  create article "A room at fifty per cent"',
    'a merge',
    '  409 merge_conflict, nothing was changed',
    'conflicts',
    '  "Ink that forgets" fields.readingMinutes (changed): base 5, package 7, main 6',
    'the merge, with decisions',
    '  update "Ink that forgets": v3, published',
    '  create "A room at fifty per cent": v1, published',
    '  delete "In the margins": gone',
    'main',
    '  v1 published {"title":"A room at fifty per cent","readingMinutes":3}',
    '  v3 published {"title":"Ink that forgets","summary":"On iron gall ink.","readingMinutes":7}',
    'revert-spring-issue',
    '  update article "Ink that remembers"',
    '    name: "Ink that forgets" → "Ink that remembers"',
    '    fields.title: "Ink that forgets" → "Ink that remembers"',
    '    fields.readingMinutes: 7 → 6',
    '  restore article "In the margins"',
    '  delete article "A room at fifty per cent"',
    'main',
    '  v1 published {"title":"In the margins","readingMinutes":5}',
    '  v4 published {"title":"Ink that remembers","summary":"On iron gall ink.","readingMinutes":6}',
  ])
})

it('does not change main before the merge', async () => {
  const { id } = await anEditedArticle()
  expect((await quire.items.get({ configId, id })).fields).toMatchObject({ readingMinutes: 5 })
  await mergeWith(quire, ref, oursForFields)
  expect((await quire.items.get({ configId, id })).fields).toMatchObject({ readingMinutes: 7 })
})

it('reviews more changes than fit on one page', async () => {
  await prepareMagazine(quire)
  await quire.packages.create({ repo: configId, name: ref.packageName })
  const names = Array.from({ length: 120 }, (_, index) => `Article ${index}`)
  for (const name of names)
    await quire.items.create({
      repositoryId: configId,
      packageName: ref.packageName,
      type: 'article',
      name,
      fields: { title: name },
    })
  const lines = await reviewLines(quire, ref)
  expect(new Set(lines)).toEqual(new Set(names.map((name) => `create article "${name}"`)))
})

it('does not recreate an item that main deleted', async () => {
  const { id } = await anEditedArticle()
  await quire.items.delete({ configId, id })
  await mergeWith(quire, ref, oursForFields)
  await expect(quire.items.get({ configId, id })).rejects.toMatchObject({ code: 'not_found' })
})

it('rejects decisions that were made for an older state', async () => {
  const { packageName: _, ...onMain } = await anEditedArticle()
  await quire.items.update({ ...onMain, fields: { readingMinutes: 6 } })
  const { items, planId } = await quire.packages.conflicts(ref)
  await quire.items.update({ ...onMain, fields: { readingMinutes: 8 } })
  const late = quire.packages.merge({ ...ref, planId, resolutions: items.map(oursForFields) })
  await expect(late).rejects.toThrow(QuireError)
  await expect(late).rejects.toMatchObject({ code: 'plan_stale' })
  expect((await quire.items.get(onMain)).fields).toMatchObject({ readingMinutes: 8 })
})
