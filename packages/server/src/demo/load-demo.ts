import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Api } from '@quire/contract'
import { systemIdentity } from '@quire/core'
import type { Log } from '@quire/core/ports'
import { importFolder, type ImportSummary } from '../markdown/import-folder.ts'
import type { Draft } from '../markdown/draft.ts'
import { createRehearsal } from '../markdown/rehearsal.ts'
import type { OpenedQuire } from '../open-quire.ts'
import { packageFolder } from '../package-folder.ts'
import { demoTypes } from './content-types.ts'

/** A folder of the demo and what its files become. */
interface Part {
  readonly folder: string
  readonly repository: string
  readonly type: string
  readonly amend?: (draft: Draft) => Draft
}

const magazine = (folder: string, type: string): Part => ({
  folder: fileURLToPath(new URL(`demo/magazine/${folder}`, packageFolder)),
  repository: 'magazine',
  type,
})

/** What is referred to comes first. The documentation is there in a checkout only. */
const parts: readonly Part[] = [
  magazine('authors', 'author'),
  magazine('articles', 'article'),
  magazine('pages', 'page'),
  {
    folder: fileURLToPath(new URL('../../docs', packageFolder)),
    repository: 'docs',
    type: 'guide',
    amend: (draft) => ({ ...draft, isPublished: true }),
  },
]

const repositories = [
  { name: 'magazine', displayName: 'Deckle, a magazine', public: true },
  { name: 'docs', displayName: 'The documentation of Quire', public: true },
]

/** Fills a new engine with a magazine, and with this project's documentation where that is at hand. Tells it in one line. */
export async function loadDemo({ quire }: OpenedQuire, log: Log): Promise<void> {
  const start = performance.now()
  const api = quire.as(systemIdentity('demo'))
  const present = parts.filter(({ folder }) => existsSync(folder))
  for (const type of demoTypes) await api.types.create(type)
  for (const repository of repositories) await api.repositories.create(repository)
  const failures: string[] = []
  const summaries: ImportSummary[] = []
  for (const part of present) summaries.push(await importPart(api, part, failures))
  const items = summaries.reduce((sum, { created }) => sum + created, 0)
  const skipped = parts.filter((part) => !present.includes(part)).map(({ repository }) => repository)
  const ms = Math.round(performance.now() - start)
  log.write('info', 'demo.loaded', {
    items,
    ms,
    ...(skipped.length > 0 && { skipped }),
    ...(failures.length > 0 && { failures }),
  })
}

async function importPart(
  api: Api,
  { folder, repository, type, amend }: Part,
  failures: string[],
): Promise<ImportSummary> {
  const contentType = await api.types.get({ id: type })
  const target = { api, repository, type: contentType, rehearsal: await createRehearsal(contentType) }
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
