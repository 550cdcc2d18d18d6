import { describe, expect, it } from 'vitest'
import { exchanges, refusedAddresses } from './exchanges.ts'
import { alone, fastifyHost, hosts, serviceHost, type StartHost } from './hosts.ts'
import { record, type Recorded } from './record.ts'

async function recordedOf(
  start: StartHost,
  basePath: string,
  sent = exchanges,
): Promise<readonly Recorded[]> {
  const host = await start(basePath)
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

  it.each(Object.entries(hosts))('%s answers with the same bytes', async (_, start) => {
    expect(await recordedOf(start, basePath)).toEqual(reference)
  })
})

it('addresses that a router refuses are answered as by the service', async () => {
  // Its router answers them before its hooks add `Vary: Origin`.
  const told = (answers: readonly Recorded[]) =>
    answers.map(({ name, status, body }) => ({ name, status, body }))
  const expected = told(await recordedOf(serviceHost, '/', refusedAddresses))
  expect(expected.map(({ status }) => status)).toEqual([400, 400, 404, 404])
  expect(told(await recordedOf(alone, '/', refusedAddresses))).toEqual(expected)
})
