import type { Api } from '@quire/contract'

const configId = 'magazine'

/** The ids of the articles in the story. */
export interface Articles {
  readonly ink: string
  readonly margins: string
}

/** Creates the repository, its content type and two published articles. */
export async function prepareMagazine(quire: Api): Promise<Articles> {
  await quire.repositories.create({ name: configId })
  await quire.types.create({
    name: 'article',
    settings: { slugFrom: 'title' },
    fields: [
      { name: 'title', kind: 'text', required: true },
      { name: 'summary', kind: 'text' },
      { name: 'readingMinutes', kind: 'integer' },
    ],
  })
  return { ink: await publish(quire, 'Ink that remembers'), margins: await publish(quire, 'In the margins') }
}

async function publish(quire: Api, title: string): Promise<string> {
  const fields = { title, readingMinutes: 5 }
  const { id } = await quire.items.create({ repositoryId: configId, type: 'article', name: title, fields })
  await quire.items.publish({ configId, id })
  return id
}

/** The articles on main, one per line, sorted by title. */
export async function mainLines(quire: Api): Promise<string[]> {
  const { items } = await quire.items.list({ configId, type: 'article', sort: 'fields.title' })
  return items.map(
    ({ currentVersion, status, fields }) => `v${currentVersion} ${status} ${JSON.stringify(fields)}`,
  )
}
