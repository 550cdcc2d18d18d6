import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@quire/client'
import { documentTypes } from './document-types.ts'

const documents = join(import.meta.dirname, '../magazine.graphql')

/** The files of `src/generated` by name: the schema of the magazine, and the typed documents. */
export async function generate({ graphql }: Client): Promise<Readonly<Record<string, string>>> {
  const file = await graphql.schema({ configId: 'magazine' })
  const schema = await new Response(file.stream()).text()
  const text = await documentTypes(schema, await readFile(documents, 'utf8'))
  return { 'schema.graphql': schema, 'magazine.ts': text }
}
