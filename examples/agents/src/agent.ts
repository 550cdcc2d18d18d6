import type { Client } from '@modelcontextprotocol/client'

/** What a tool answers, as structured content. */
type Answer = Readonly<Record<string, unknown>>

async function use(client: Client, name: string, args: object): Promise<Answer> {
  const { structuredContent } = await client.callTool({ name, arguments: { ...args } })
  return { ...(structuredContent as object | undefined) }
}

const repository = 'magazine'

/** Drafts an article in a new package, and asks people to look. Returns the name of the package. */
export async function draft(client: Client): Promise<string> {
  await use(client, 'schema', { types: ['article'] })
  const { packageName } = await use(client, 'draft', {
    repository,
    type: 'article',
    name: 'Ink that remembers',
    fields: { title: 'Ink That Remembers!', body: 'Oak galls and iron make a black ink.' },
    comment: 'First draft',
  })
  await use(client, 'request_review', { repository, packageName, summary: 'One article about oak gall ink.' })
  return String(packageName)
}

interface Comment {
  readonly id: string
  readonly entity: { readonly id: string } | null
  readonly path: string | null
  readonly body: string
}

/** Reads what people said, and revises it. A model would understand the comment; this one knows one answer. */
export async function revise(client: Client, packageName: string): Promise<void> {
  const { content } = await use(client, 'comments', { repository, packageName })
  const { comments } = content as { readonly comments: readonly Comment[] }
  for (const { id, entity, path } of comments) {
    if (entity === null || path !== 'fields.title') continue
    const fields = { title: 'Ink that remembers' }
    await use(client, 'draft', { repository, packageName, id: entity.id, fields, comment: 'Sentence case' })
    await use(client, 'comment', { repository, packageName, parentId: id, body: 'Done', resolve: id })
  }
  await use(client, 'request_review', {
    repository,
    packageName,
    summary: 'The title is in sentence case now.',
  })
}
