import { createClient, type Client } from '@quire/client'
import { openServer, type Common, type OpenedServer } from './open-server.ts'
import { prepare } from './prepare.ts'

const configId = 'magazine'

/** Writes through one server and reads through another, and reports each step as lines of text. */
export async function twoServers(
  common: Common,
  picture: File,
  notify: (line: string) => void,
): Promise<void> {
  const servers: OpenedServer[] = []
  const open = async () => {
    const server = await openServer(common)
    servers.push(server)
    return server
  }
  try {
    const one = await open()
    const two = await open()
    const auth = await prepare(one.quire)
    const desk = createClient({ baseUrl: one.url, auth })
    const website = createClient({ baseUrl: two.url, auth })
    const slug = await saveArticle(desk, picture)
    notify(`one saved ${slug}, with ${picture.name}`)
    for (const line of await readArticle(website, slug)) notify(`two read ${line}`)
    await website.items.update({ configId, id: await idOf(website, slug), name: 'Ink that stays' })
    const { name } = await desk.items.getBySlug({ configId, slug })
    notify(`one read ${name}, which two had saved`)
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }
}

/** Creates an article with a picture: a row in PostgreSQL, and bytes in the bucket. */
async function saveArticle({ assets, items }: Client, file: File): Promise<string> {
  const picture = await assets.create({ configId, type: 'picture', name: 'Oak galls', file })
  const { slug } = await items.create({
    repositoryId: configId,
    type: 'article',
    name: 'Ink that remembers',
    fields: { title: 'Ink that remembers', picture: picture.id },
  })
  return slug
}

async function idOf({ items }: Client, slug: string): Promise<string> {
  const { id } = await items.getBySlug({ configId, slug, select: ['id'] })
  return id
}

/**
 * Reads an article: its name, its picture, and a smaller rendition, which is created on the first
 * request and stored in the bucket.
 */
async function readArticle({ assets, items }: Client, slug: string): Promise<string[]> {
  const { name, fields = {} } = await items.getBySlug({ configId, slug })
  const lines: string[] = [name ?? slug]
  const assetId = typeof fields['picture'] === 'string' ? fields['picture'] : ''
  for (const rendition of ['original', 'small']) {
    const binary = await assets.get({ configId, assetId, rendition })
    const bytes = await binary.bytes()
    lines.push(`${rendition}: ${binary.fileName}, ${bytes.length} bytes`)
  }
  return lines
}
