import { existsSync } from 'node:fs'
import type { Api } from '@quire/contract'
import { systemIdentity } from '@quire/core'
import type { Log } from '@quire/core/ports'
import { importFolder, type ImportSummary } from '../markdown/import-folder.ts'
import type { Draft } from '../markdown/draft.ts'
import { createDryRun } from '../markdown/dry-run.ts'
import type { OpenedQuire } from '../open-quire.ts'
import { demoTypes } from './content-types.ts'
import { siteUrl } from './demo-lines.ts'
import { magazinePath } from './demo-path.ts'
import { withSiteLinks } from './docs-links.ts'
import { createDocsSite, docsFolder, docsPaths } from './docs-site.ts'
import { createMagazineSite } from './magazine-site.ts'
import { correctEnglish } from './late-correction.ts'
import { demoLocales } from './locales.ts'
import { addCovers } from './pictures.ts'
import { publishSite } from './publish-site.ts'
import { addReviewer } from './reviewer.ts'
import { addWinterIssue } from './winter-issue.ts'

/** A folder of the demo, and the repository and content type that its files are imported into. */
interface Part {
  readonly folder: string
  readonly repository: string
  readonly type: string
  readonly amend?: (draft: Draft, path: string) => Draft
}

const magazine = (folder: string, type: string): Part => ({
  folder: magazinePath(folder),
  repository: 'magazine',
  type,
})

/** Items that others refer to come first. The documentation exists only in a checkout. */
const partsOf = (docs: ReadonlySet<string>): readonly Part[] => [
  magazine('authors', 'author'),
  magazine('articles', 'article'),
  magazine('pages', 'page'),
  {
    folder: docsFolder,
    repository: 'docs',
    type: 'guide',
    amend: (draft, path) => {
      const { body } = draft.fields
      const linked = typeof body === 'string' ? withSiteLinks(body, path, docs) : body
      return { ...draft, fields: { ...draft.fields, body: linked }, isPublished: true }
    },
  },
]

const repositories = [
  { name: 'magazine', displayName: 'Deckle, a magazine', public: true, settings: { locales: demoLocales } },
  { name: 'docs', displayName: 'The documentation of Quire', public: true },
]

/**
 * Loads a magazine and its published site, a package that waits for review, and this project's
 * documentation with a site of its own, if it is available. Logs one line. The queue must be running.
 */
export async function loadDemo({ quire }: OpenedQuire, log: Log): Promise<void> {
  const start = performance.now()
  const api = quire.as(systemIdentity('demo'))
  for (const type of demoTypes) await api.types.create(type)
  for (const repository of repositories) await api.repositories.create(repository)
  const covers = await addCovers(api)
  const docs = await docsPaths()
  const reported = await importParts(api, partsOf(docs), covers)
  await correctEnglish(api)
  const site = await createMagazineSite(api)
  const pages = await publishSite(api, quire, {
    configId: 'magazine',
    siteId: site.siteId,
    comment: 'The first issue',
  })
  await addWinterIssue(api, site, covers)
  const { id: repositoryId } = await api.repositories.get({ id: 'magazine' })
  await addReviewer(api, { repositoryId, siteId: site.siteId })
  if (docs.size > 0) {
    const siteId = await createDocsSite(api, docs)
    await publishSite(api, quire, { configId: 'docs', siteId, comment: 'As in the checkout' })
  }
  const ms = Math.round(performance.now() - start)
  log.write('info', 'demo.loaded', { ...reported, pages, site: siteUrl(quire), ms })
}

/** The result of the import, for the log. */
interface DemoReport {
  readonly items: number
  readonly skipped?: readonly string[]
  readonly failures?: readonly string[]
}

async function importParts(
  api: Api,
  parts: readonly Part[],
  covers: ReadonlyMap<string, string>,
): Promise<DemoReport> {
  const existing = parts.filter(({ folder }) => existsSync(folder))
  const failures: string[] = []
  const summaries: ImportSummary[] = []
  for (const part of existing) summaries.push(await importPart(api, withCovers(part, covers), failures))
  const items = summaries.reduce((sum, { created }) => sum + created, 0)
  const skipped = parts.filter((part) => !existing.includes(part)).map(({ repository }) => repository)
  return { items, ...(skipped.length > 0 && { skipped }), ...(failures.length > 0 && { failures }) }
}

/** Gives each article the cover with its slug. */
function withCovers(part: Part, covers: ReadonlyMap<string, string>): Part {
  if (part.type !== 'article') return part
  const amend = (draft: Draft): Draft => {
    const cover = covers.get(draft.slug)
    return cover === undefined ? draft : { ...draft, fields: { ...draft.fields, cover } }
  }
  return { ...part, amend }
}

async function importPart(
  api: Api,
  { folder, repository, type, amend }: Part,
  failures: string[],
): Promise<ImportSummary> {
  const contentType = await api.types.get({ id: type })
  const { locales } = (await api.repositories.get({ id: repository })).settings
  const conversion = await createDryRun(contentType, locales)
  const target = { api, repository, type: contentType, locales, conversion }
  return importFolder(target, {
    folder,
    mode: 'write',
    ...(amend && { amend }),
    listener: {
      found: () => undefined,
      done: (outcome) => {
        if (outcome.change === 'failed') failures.push(`${outcome.path}:${outcome.line}: ${outcome.message}`)
      },
    },
  })
}
