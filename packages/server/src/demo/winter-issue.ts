import { readFile } from 'node:fs/promises'
import { QuireError, type Api, type ContentType, type Item } from '@quire/contract'
import { draftOf, type Draft } from '../markdown/draft.ts'
import { parseMarkdown } from '../markdown/parse-markdown.ts'
import { createDryRun } from '../markdown/dry-run.ts'
import { withReferences } from '../markdown/references.ts'
import { magazinePath } from './demo-path.ts'
import { homeTexts, pageTexts, type MagazineSite } from './magazine-site.ts'

const configId = 'magazine'

/** The package of the demo that waits for review. */
export const winterIssue = { repo: configId, packageName: 'winter-issue' } as const

const { packageName } = winterIssue

/** Passages of an article that the package rewrites: the old text and the new one. */
const rewritten: readonly (readonly [string, string])[] = [
  [
    'It comes off the nib the colour of weak\ntea.',
    'It comes off the nib the colour of weak\ntea, or of nothing at all.',
  ],
  ['A forger had to be a surgeon.', 'A forger had to be a surgeon, and the patient had to be a pig.'],
  [
    'A bath draws out the acid and binds the loose iron, and a lining of tissue thin as breath carries',
    'A bath draws out the acid and binds the loose iron, a second one leaves a little chalk behind, and a lining of\ntissue that you could read this through carries',
  ],
  ['\n\n> You could read it by its absences, like a fence with the garden showing through.', ''],
]

/**
 * Creates a package with the changes of the next issue: a rewritten article, a new lead article,
 * and one that moves to another section.
 */
export async function addWinterIssue(
  api: Api,
  site: MagazineSite,
  covers: ReadonlyMap<string, string>,
): Promise<void> {
  const description = 'The winter issue: frost in front, ink corrected, and the index moves to the libraries'
  await api.packages.create({ repo: configId, name: packageName, description })
  await rewriteInk(api)
  const frost = await createFrost(api, covers.get('what-the-frost-wrote'))
  const { siteId, sections, pages, homePageId } = site
  const at = { configId, packageName, siteId }
  const { name, slug, description: summary, id: itemId } = frost
  const texts = { name, slug, description: summary, locales: pageTexts(frost.fields) }
  const visible = { ...texts, itemId, template: 'article', order: 5 }
  await api.pages.create({ ...at, ...visible, sectionId: requireId(sections, 'places') })
  const moved = { id: requireId(pages, 'see-also'), sectionId: requireId(sections, 'libraries'), order: 30 }
  await api.pages.move({ ...at, ...moved })
  const kickers = { en: 'In the winter issue', de: 'In der Winterausgabe', ar: 'في عدد الشتاء' }
  const { meta, locales } = homeTexts(itemId, kickers)
  await api.pages.update({ ...at, id: homePageId, meta, locales })
  const body = 'Frost leads, the ink article is corrected, and the index moves. Is it ready for print?'
  await api.packages.addComment({ ...winterIssue, body, decision: 'request' })
}

async function rewriteInk(api: Api): Promise<void> {
  const { id, fields } = await api.items.getBySlug({ configId, slug: 'ink-that-remembers' })
  const written = fields?.['body']
  const before = typeof written === 'string' ? written : ''
  const body = rewritten.reduce((text, [from, to]) => text.replace(from, to), before)
  await api.items.update({ configId, packageName, id, fields: { body } })
}

/** Creates the article with its translations. Returns it with the values of all locales. */
async function createFrost(api: Api, cover: string | undefined): Promise<Item> {
  const type = await api.types.get({ id: 'article' })
  const target = { api, repository: configId, type, conversion: await createDryRun(type) }
  const english = await withReferences(target, await frostDraft('', type))
  const { name, slug, description, fields } = english
  const given = { name, slug, ...(description !== undefined && { description }) }
  const values = { ...fields, ...(cover !== undefined && { cover }) } as Item['fields']
  const { id } = await api.items.create({
    repositoryId: configId,
    packageName,
    type: type.name,
    ...given,
    fields: values,
  })
  for (const locale of ['de', 'ar']) {
    const translation = await frostDraft(`.${locale}`, type)
    const inLocale = { configId, packageName, id, locale }
    await api.items.update({ ...inLocale, fields: translation.fields as Item['fields'] })
  }
  // Without `select` all members are returned.
  return (await api.items.get({ configId, packageName, id, locale: '*' })) as Item
}

async function frostDraft(suffix: string, type: ContentType): Promise<Draft> {
  const path = `winter-issue/what-the-frost-wrote${suffix}.md`
  return draftOf({ path, content: parseMarkdown(await readFile(magazinePath(path), 'utf8')) }, type)
}

/** The id for a slug. Errors: QuireError `internal` when the demo did not create it. */
function requireId(ids: ReadonlyMap<string, string>, slug: string): string {
  const id = ids.get(slug)
  if (id === undefined) throw new QuireError('internal', `The demo has no "${slug}".`)
  return id
}
