import { describe, expect, it } from 'vitest'
import { exchanges, refusedAddresses, taggedExchanges } from './exchanges.ts'
import { alone, fastifyHost, hosts, mock, serviceHost, type StartHost } from './hosts.ts'
import { record, type Recorded } from './record.ts'

/** What to send to a host, and its option for cache tags. */
interface Recording {
  readonly sent?: typeof exchanges
  readonly cacheTags?: 'Cache-Tag' | 'Surrogate-Key'
}

async function recordedOf(
  start: StartHost,
  basePath: string,
  { sent = exchanges, cacheTags }: Recording = {},
): Promise<readonly Recorded[]> {
  const host = await start(basePath, cacheTags && { cacheTags })
  try {
    return await record(host, sent)
  } finally {
    await host.close()
  }
}

describe.each(['/', '/api', '/a/b/api', '/cms/'])('below %s', async (basePath) => {
  // Without a prefix, an app answers unknown methods itself, so the service is the reference.
  const reference = await recordedOf(basePath === '/' ? serviceHost : fastifyHost, basePath)

  it('the reference answers as the exchanges expect', () => {
    const statuses = Object.fromEntries(reference.map(({ name, status }) => [name, status]))
    expect(statuses).toMatchObject({ first: 201, file: 201, upload: 201, 'broken JSON': 400 })
  })

  it('the reference finds a package by a name with slashes, which are encoded', () => {
    const answers = reference.filter(({ name }) => /agent|slashed/i.test(name))
    expect(answers.map(({ status }) => status)).toEqual([
      201, 200, 200, 404, 200, 404, 200, 201, 200, 400, 200,
    ])
    expect(answers[0]?.headers['location']).toMatch(/\/agent%2F%C3%A4%20b%2F1$/)
    expect(answers[7]?.headers['location']).toContain('/_package/agent%2F%C3%A4%20b%2F1/')
  })

  it.each(Object.entries(hosts))('%s answers with the same bytes', async (_, start) => {
    expect(await recordedOf(start, basePath)).toEqual(reference)
  })
})

it('addresses that a router refuses are answered as by the service', async () => {
  // Its router answers them before its hooks add `Vary: Origin`.
  const told = (answers: readonly Recorded[]) =>
    answers.map(({ name, status, body }) => ({ name, status, body }))
  const expected = told(await recordedOf(serviceHost, '/', { sent: refusedAddresses }))
  expect(expected.map(({ status }) => status)).toEqual([400, 400, 404, 404, 404])
  expect(expected.at(-1)?.body).toMatch(/^<!doctype html>/)
  expect(told(await recordedOf(alone, '/', { sent: refusedAddresses }))).toEqual(expected)
})

describe.each([
  ['Cache-Tag', 'cdn-cache-control', 'public, max-age=86400'],
  ['Surrogate-Key', 'surrogate-control', 'max-age=86400'],
] as const)('with %s', async (header, duration, day) => {
  const answers = await recordedOf(fastifyHost, '/cms', { sent: taggedExchanges, cacheTags: header })
  const byName = new Map(answers.map((answer) => [answer.name, answer]))
  const tagsOf = (name: string) => byName.get(name)?.headers[header.toLowerCase()]

  it('every host sends the same', async () => {
    for (const start of [alone, mock])
      expect(await recordedOf(start, '/cms', { sent: taggedExchanges, cacheTags: header })).toEqual(answers)
    expect(await recordedOf(serviceHost, '', { sent: taggedExchanges, cacheTags: header })).toEqual(
      await recordedOf(alone, '', { sent: taggedExchanges, cacheTags: header }),
    )
  })

  it('public responses have tags, and may stay in a cache for a day', () => {
    const tagged = answers.filter(({ headers }) => headers[header.toLowerCase()] !== undefined)
    expect(tagged.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'item 200',
      'item of an advert 200',
      'same item 304',
      'list 200',
      'page 200',
      'redirect 301',
    ])
    for (const { headers } of tagged) {
      expect(headers[header.toLowerCase()]).toMatch(/^[a-z]-\w+([ ,][a-z]-\w+)+$/)
      expect(headers).toMatchObject({ [duration]: day, 'cache-control': 'public, max-age=60' })
    }
    expect(tagsOf('item of an advert')).toBe(tagsOf('item'))
    expect(tagsOf('same item')).toBe(tagsOf('item'))
    expect(tagsOf('redirect')).toBe(tagsOf('page'))
  })

  it('responses to an account, errors and searches have none, nor has anything without the option', async () => {
    const ours = [header.toLowerCase(), duration]
    const rest = answers.filter(({ name }) => name.startsWith('untagged'))
    const off = await recordedOf(fastifyHost, '/cms', { sent: taggedExchanges })
    for (const { headers } of [...rest, ...off]) expect(ours.filter((name) => name in headers)).toEqual([])
    const without = answers.map(({ headers, ...answer }) => {
      const { [ours[0] ?? '']: _tags, [ours[1] ?? '']: _day, ...others } = headers
      return { ...answer, headers: others }
    })
    expect(off).toEqual(without)
  })
})
