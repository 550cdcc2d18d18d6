import type { Api, ImportPlan } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore, fixedClock, seededIds } from '@quire/core/memory'
import { makeZip } from 'client-zip'
import { afterAll } from 'vitest'
import { zipEntries } from '../files/zip-entries.ts'
import type { Bench } from '../host.ts'

const id = 'magazine'

type Extent = Omit<Parameters<Api['repositories']['export']>[0], 'id'>

/** What the plan of an import that changes nothing counts. */
export const noChanges = {
  create: 0,
  update: 0,
  delete: 0,
  unchanged: 0,
  convert: 0,
  refuse: 0,
  conflicts: 0,
}

/** The bytes of an export of the magazine, or of a part of it. */
export async function exported(api: Api, extent: Extent = {}): Promise<Uint8Array> {
  return new Uint8Array(await (await api.repositories.export({ id, ...extent })).bytes())
}

/** Imports a file into the magazine. */
export function importInto(api: Api, bytes: Uint8Array, options: object = {}): Promise<ImportPlan> {
  return api.repositories.import({ id, file: new File([Uint8Array.from(bytes)], 'magazine.zip'), ...options })
}

/** Creates an author in the magazine. */
export function anAuthor(api: Api, name: string) {
  return api.items.create({ repositoryId: id, type: 'author', name, fields: { title: name } })
}

/**
 * Opens other installations in memory, each with an empty magazine, in which it is a second later.
 * Closes them after the tests.
 */
export function otherInstallations(bench: () => Bench): () => Promise<Api> {
  const others: Quire[] = []
  afterAll(() => Promise.all(others.map((quire) => quire.close())))
  return async () => {
    const clock = fixedClock(bench().scope.clock.now() + 1000)
    const quire = createQuire({ store: createMemoryStore(), clock, ids: seededIds(2, clock) })
    others.push(quire)
    const api = quire.as(systemIdentity('suite'))
    await api.repositories.create({ name: id, displayName: 'The Magazine' })
    return api
  }
}

/** A line of the content of an export. */
export interface Line {
  readonly kind: string
  readonly id: string
  readonly content: Readonly<Record<string, unknown>>
}

/** The line with other values of fields. */
export function withFields(line: Line, fields: object): Line {
  return {
    ...line,
    content: { ...line.content, fields: { ...(line.content['fields'] as object), ...fields } },
  }
}

/** The texts of the members of an archive by name. */
export function membersOf(bytes: Uint8Array): Map<string, string> {
  return new Map([...zipEntries(bytes)].map(([name, member]) => [name, new TextDecoder().decode(member)]))
}

/** The members with contents, types and files: not the digests of earlier contents, nor the activity. */
export function contentOf(bytes: Uint8Array): Map<string, string> {
  return new Map([...membersOf(bytes)].filter(([name]) => !/^(history|activity)\//.test(name)))
}

/** The lines of the content of an export. */
export function linesOf(bytes: Uint8Array): Line[] {
  return [...membersOf(bytes)].flatMap(([name, text]) =>
    name.startsWith('content/')
      ? text
          .trimEnd()
          .split('\n')
          .map((line): Line => JSON.parse(line))
      : [],
  )
}

/** The same archive with other lines and another manifest. */
export async function rewritten(
  bytes: Uint8Array,
  change: (line: Line) => unknown,
  manifest: object = {},
): Promise<Uint8Array> {
  const members = [...zipEntries(bytes)].map(([name, member]): [string, string | Uint8Array] => {
    const text = () => new TextDecoder().decode(member)
    if (name === 'manifest.json') return [name, JSON.stringify({ ...JSON.parse(text()), ...manifest })]
    if (!name.startsWith('content/')) return [name, member]
    const lines = text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.stringify(change(JSON.parse(line))))
    return [name, lines.join('\n')]
  })
  return zipOf(Object.fromEntries(members))
}

/** The same archive with another text of one member. */
export function replacing(
  bytes: Uint8Array,
  name: string,
  change: (text: string) => string,
): Promise<Uint8Array> {
  const members = [...zipEntries(bytes)].map(([member, content]) => [
    member,
    member === name ? change(new TextDecoder().decode(content)) : content,
  ])
  return zipOf(Object.fromEntries(members))
}

/** A ZIP archive of these members. */
export async function zipOf(members: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  const files = Object.entries(members).map(([name, input]) => ({
    name,
    input: typeof input === 'string' ? input : Uint8Array.from(input),
  }))
  return new Uint8Array(await new Response(makeZip(files)).arrayBuffer())
}

/** The rest of a stream. */
export async function bytesOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value)
  return new Uint8Array(await new Blob(chunks.map((chunk) => Uint8Array.from(chunk))).arrayBuffer())
}
