import type { Draft, Mutation } from './draft.ts'
import { hostileText, hostileValue } from './hostile.ts'
import { JsonText, toJson } from './json-text.ts'
import { preparedPreset } from './prepare-assets.ts'
import { preparedPackage } from './prepare.ts'
import type { Random } from './random.ts'
import { overrideMethod, spoilFile, spoilLength, spoilMetadata } from './spoil-file.ts'
import { spoilForm } from './spoil-form.ts'
import { spoilBytesHeader, spoilHeader, spoilUploadHeader } from './spoil-headers.ts'

/** Spoils a request in one to three ways. */
export function mutate(draft: Draft, random: Random): void {
  const rounds = random.chance(0.7) ? 1 : 2 + random.below(2)
  for (let round = 0; round < rounds; round++) {
    const applicable = mutations.filter(([fits]) => fits(draft))
    random.pick(applicable)?.[1](draft, random)
  }
}

const always = () => true
const hasBody = ({ body }: Draft) => typeof body === 'object' && body !== null
const hasQuery = ({ query }: Draft) => query.length > 0
const hasParams = ({ params }: Draft) => params.size > 0
const hasForm = ({ form }: Draft) => form === 'multipart'
const hasFile = ({ file }: Draft) => file !== undefined
const answersBytes = ({ operation }: Draft) => operation.endpoint.answer === 'bytes'
const isUpload = ({ form }: Draft) => form === 'tus'
const hasMetadata = ({ headers }: Draft) => headers.has('upload-metadata')
const namesUpload = (draft: Draft) => isUpload(draft) && hasParams(draft)
// Creating an upload whose id is lost must not be repeated: it stays open for a day, and their
// number is limited.
const isRepeatable = (draft: Draft) => !(isUpload(draft) && draft.method === 'POST')
const hasContent = (draft: Draft) => isRepeatable(draft) && (hasBody(draft) || hasFile(draft))

const mutations: readonly (readonly [fits: (draft: Draft) => boolean, mutation: Mutation])[] = [
  [hasBody, spoilBodyValue],
  [hasBody, spoilBodyValue],
  [hasBody, spoilBodyValue],
  [hasBody, addBodyMember],
  [hasBody, dropBodyMember],
  [hasBody, spoilBodyText],
  [hasParams, spoilParam],
  [hasParams, spoilParam],
  [hasQuery, spoilQueryValue],
  [hasQuery, spoilQueryValue],
  [hasQuery, repeatQuery],
  [hasForm, spoilForm],
  [hasForm, spoilForm],
  [hasForm, spoilForm],
  [hasForm, spoilForm],
  [hasFile, spoilFile],
  [hasFile, spoilFile],
  [hasContent, spoilLength],
  [answersBytes, spoilBytesHeader],
  [answersBytes, spoilBytesHeader],
  [answersBytes, spoilBytesHeader],
  [isUpload, spoilUploadHeader],
  [isUpload, spoilUploadHeader],
  [isUpload, spoilUploadHeader],
  [hasMetadata, spoilMetadata],
  [hasMetadata, spoilMetadata],
  [hasMetadata, spoilMetadata],
  [namesUpload, overrideMethod],
  [isRepeatable, leave],
  [always, addQuery],
  [always, spoilHeader],
  [always, changeMethod],
]

/** Replaces a value somewhere in the body. */
function spoilBodyValue(draft: Draft, random: Random): void {
  let location = draft.body as Record<string, unknown>
  for (let depth = 0; depth < 6; depth++) {
    const name = random.pick(Object.keys(location))
    if (name === undefined) return
    const inner = location[name]
    if (holdsMembers(inner) && random.chance(0.65)) {
      location = inner
      continue
    }
    location[name] = hostileValue(random)
    return
  }
}

function holdsMembers(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || value instanceof JsonText) return false
  return Object.keys(value).length > 0
}

function addBodyMember(draft: Draft, random: Random): void {
  const name = random.pick(['id', 'version', 'isAdmin', '', 'toString', hostileText(random)])
  const { body } = draft
  draft.body = Array.isArray(body)
    ? [...(body as unknown[]), hostileValue(random)]
    : { ...(body as object), [name]: hostileValue(random) }
}

function dropBodyMember(draft: Draft, random: Random): void {
  const entries = Object.entries(draft.body as object)
  const dropped = random.below(entries.length)
  const rest = entries.filter((_, index) => index !== dropped)
  draft.body = Array.isArray(draft.body)
    ? rest.map(([, value]) => value as unknown)
    : Object.fromEntries(rest)
}

/** Damages the bytes of the encoded body. */
function spoilBodyText(draft: Draft, random: Random): void {
  const whole = toJson(draft.body)
  const half = whole.slice(0, random.below(whole.length))
  draft.rawBody = random.pick([
    Buffer.from(half),
    Buffer.from(`\u{feff}${whole}`),
    Buffer.from(`${whole}${whole}`),
    Buffer.from(`// no\n${whole}`),
    Buffer.from(whole.replaceAll('"', "'")),
    Buffer.concat([Buffer.from(whole), Buffer.from([0])]),
    Buffer.from(whole.replace(/[a-z]/, '\u{ff}'), 'latin1'),
    Buffer.from(whole, 'utf16le'),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from('null'),
    Buffer.from('[]'),
    Buffer.from('"text"'),
    Buffer.from('7'),
    Buffer.alloc(0),
    Buffer.from(' '),
    Buffer.from('a=b&c=%zz'),
    Buffer.from(`{"name":"${'x'.repeat(1_200_000)}"}`),
  ])
}

function spoilParam(draft: Draft, random: Random): void {
  const name = random.pick([...draft.params.keys()])
  if (name !== undefined) draft.params.set(name, hostileText(random).slice(0, 12_000))
}

function spoilQueryValue({ query }: Draft, random: Random): void {
  const pair = random.pick(query)
  if (!pair) return
  // Headers and request line together may have 16 KiB.
  if (random.chance(0.7)) pair[1] = hostileText(random).slice(0, 9000)
  else
    pair[0] = random.pick([
      `${pair[0]}[`,
      `${pair[0]}]`,
      `${pair[0]}[]`,
      `${pair[0]}[a][b][c][d]`,
      '',
      '__proto__',
      '[x]',
    ])
}

function repeatQuery({ query }: Draft, random: Random): void {
  const pair = random.pick(query)
  if (pair) query.push([pair[0], random.chance(0.5) ? pair[1] : hostileText(random).slice(0, 500)])
}

const queryNames = [
  'limit',
  'offset',
  'cursor',
  'sort',
  'filter',
  'filter[name]',
  'select',
  'include',
  'text',
  'at',
  'id',
  'x',
  'dryRun',
]

function addQuery({ query }: Draft, random: Random): void {
  query.push([random.pick(queryNames) ?? '', hostileText(random).slice(0, 3000)])
}

/** Disconnects before the answer arrives. */
function leave(draft: Draft, random: Random): void {
  draft.isLeft = random.chance(0.5)
}

function changeMethod(draft: Draft, random: Random): void {
  // Rarely: it soon finds nothing new.
  if (!random.chance(0.4)) return
  const method = random.pick([
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
  ])
  if (method !== 'DELETE' || !namesPrepared(draft)) draft.method = method
}

/** Whether a DELETE could remove prepared entities that half of all requests use. */
function namesPrepared({ operation, params }: Draft): boolean {
  if (/^(folders|taxonomies|categories|queries|savedQueries)\./.test(operation.id)) return true
  return [preparedPackage, preparedPreset].some((name) => [...params.values()].includes(name))
}
