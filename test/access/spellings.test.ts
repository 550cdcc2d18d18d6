import { encodeRequest, type EncodedRequest } from '@quire/contract/codec'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HttpAnswer } from '../server/connection.ts'
import type { Caller, PrincipalName } from './principals.ts'
import { bearer, openRaw, type RawRequest } from './raw.ts'
import { rows, type Row } from './rows.ts'
import { lastSequence, openSite, type Site } from './site.ts'
import { spellings } from './spellings.ts'
import { replaced, replacedIn, standInFor } from './stand-ins.ts'
import { targetsFor } from './targets.ts'

/** A route with a valid request. */
interface Prepared {
  readonly row: Row
  readonly request: EncodedRequest
  /** The path of the request, without its query string. */
  readonly path: string
  /** The content in the repository that was created for the request. */
  readonly made: ReadonlySet<string>
}

let site: Site
let raw: ReturnType<typeof openRaw>
// New for each test, because jobs are retained and the memory store searches through all of them.
beforeEach(async () => {
  site = await openSite()
  raw = openRaw(site.address)
})
afterEach(async () => {
  raw.close()
  await site.close()
})

function principalNamed(name: PrincipalName): Caller {
  const caller = site.principals.find((each) => each.name === name)
  if (!caller) throw new Error(`there is no principal ${name}`)
  return caller
}

async function prepared(caller: Caller, isMeant: (row: Row) => boolean): Promise<readonly Prepared[]> {
  const all: Prepared[] = []
  for (const row of rows.filter((each) => each.repository === 'magazine' && isMeant(each))) {
    const at = targetsFor(site, { caller, ...row })
    const request = encodeRequest(row.endpoint, await row.input(at))
    const [path = ''] = request.path.split('?')
    all.push({ row, request, path, made: at.made })
  }
  return all
}

const isClosed = ({ endpoint }: Row) => endpoint.permission !== 'public'

/** The request with another target. */
function sentTo({ request }: Prepared, target: string, token: string | null): RawRequest {
  const { method, headers, body = '' } = request
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return { method, target, headers: [...lines, ...bearer(token)], body }
}

describe('another spelling of a path', () => {
  it.each(Object.entries(spellings))('does not bypass authentication: %s', async (_, spell) => {
    const strange: string[] = []
    const bodies = new Map<number, Set<string>>()
    for (const each of await prepared(principalNamed('anonymous'), isClosed)) {
      const target = spell(each.path)
      const { status, body } = await raw.send(sentTo(each, target, null))
      if (![400, 401, 404].includes(status)) strange.push(`${each.request.method} ${target}: ${status}`)
      if (each.request.method !== 'HEAD')
        bodies.set(status, (bodies.get(status) ?? new Set()).add(textOf(body)))
    }
    expect(strange).toEqual([])
    // Refusals are identical, whether or not the target exists. A 400 describes what is wrong with
    // the address, and so does the 404 for an address in which a name is empty.
    const refusals = [...bodies].map(([status, texts]): [number, string[]] => [
      status,
      [...texts].filter((text) => !text.includes('There is nothing at this address: it has no ')),
    ])
    expect(refusals.filter(([status, texts]) => status !== 400 && texts.length > 1)).toEqual([])
  })

  it.each(Object.entries(spellings))('gives no access to another repository: %s', async (_, spell) => {
    const { token } = principalNamed('otherRepository')
    const { magazine } = site.repositories
    const all = await prepared(principalNamed('otherRepository'), isClosed)
    // The query string is not sent. A request that names the repository only there becomes a
    // different request.
    const about = all.filter(({ request, path }) => JSON.stringify({ ...request, path }).includes(magazine))
    const strange: string[] = []
    for (const each of about) {
      const target = spell(each.path)
      const { status, body } = await raw.send(sentTo(each, target, token))
      const away = new Map([...each.made, magazine].map((text) => [text, standInFor(text)]))
      const back = new Map([...away].map(([from, to]) => [to, from]))
      const elsewhere = replaced(sentTo(each, target, token), away) as RawRequest
      const isRevealing = replacedIn(textOf((await raw.send(elsewhere)).body), back) !== textOf(body)
      if (status < 400 || status >= 500 || isRevealing) strange.push(`${target}: ${status} ${textOf(body)}`)
    }
    expect(about.length).toBeGreaterThan(50)
    expect(strange).toEqual([])
  })
})

const types: Readonly<Record<string, readonly string[]>> = {
  'text/plain': ['content-type: text/plain'],
  'a space before it': ['content-type:  application/json'],
  'a tab within': ['content-type: application/json\ta'],
  garbage: ['content-type: application/json garbage'],
  'another charset': ['content-type: APPLICATION/JSON ;charset=x'],
  none: [],
  'an empty one': ['content-type: '],
  'two of them': ['content-type: text/plain', 'content-type: application/json'],
  'a list': ['content-type: application/json, text/plain'],
  'a form': ['content-type: application/x-www-form-urlencoded'],
  parts: ['content-type: multipart/form-data; boundary=x'],
  'JSON by another name': ['content-type: application/vnd.api+json'],
}

const isJson = ({ endpoint: { body, method } }: Row) =>
  ['json', 'jsonOrMultipart', 'ids'].includes(body) && ['POST', 'PUT', 'PATCH'].includes(method)

describe('a body of JSON', () => {
  it.each(Object.entries(types))(
    'that is invalid is rejected with any content type: %s',
    async (_, lines) => {
      const strange: string[] = []
      for (const each of await prepared(principalNamed('admin'), isJson)) {
        for (const body of ['{"nonsense":1}', '{"nonsense":', '"nonsense"']) {
          const answer = await refusal(each, { lines, body })
          if (![400, 415].includes(answer.status) || answer.wrote) strange.push(reported(each, answer))
        }
      }
      expect(strange).toEqual([])
    },
  )

  const foreign = Object.entries(types).filter(([name]) => name !== 'a space before it')
  it.each(foreign)('that is valid is not accepted with another content type: %s', async (_, lines) => {
    const strange: string[] = []
    for (const each of await prepared(principalNamed('admin'), isJson)) {
      const answer = await refusal(each, { lines, body: each.request.body ?? '{}' })
      // Operations that accept multipart fail with 400 on a body without parts.
      const isRefused = answer.status === 415 || (answer.status === 400 && each.row.endpoint.body !== 'json')
      if (!isRefused || answer.wrote) strange.push(reported(each, answer))
    }
    expect(strange).toEqual([])
  })
})

interface Refusal extends HttpAnswer {
  /** Whether the journal has grown. */
  readonly wrote: boolean
}

/** Sends a body with a content type, as the administrator. */
async function refusal(
  each: Prepared,
  { lines, body }: { lines: readonly string[]; body: string },
): Promise<Refusal> {
  const before = await lastSequence(site)
  const { method, path: target } = each.request
  const headers = [...bearer(principalNamed('admin').token), ...lines]
  const answer = await raw.send({ method, target, headers, body })
  return { ...answer, wrote: (await lastSequence(site)) !== before }
}

function reported({ row }: Prepared, { status, body, wrote }: Refusal): string {
  return `${row.name}: ${status}${wrote ? ', and it took effect' : ''} ${textOf(body)}`
}

/** The body without the request id, because Node's own refusals get a different one. */
function textOf(body: Buffer): string {
  return body.toString('utf8').replace(/"requestId":"[^"]*"/, '')
}
