import { randomBytes, randomUUID } from 'node:crypto'
import { createClient } from '@quire/client'
import { specimens } from '@quire/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useSwift } from '../../../test/services/swift.ts'
import {
  databaseUrl,
  dropSchema,
  location,
  testDatabase,
  testSchema,
} from '../../../test/services/postgres.ts'
import { startScript } from './start-script.ts'
import type { Common } from './open-server.ts'
import { twoServers } from './two-servers.ts'

/** Hides a file size that another version of the encoders would change. */
function withoutSize(line: string): string {
  return line.startsWith('two read small') ? line.replace(/\d+ bytes$/, '… bytes') : line
}

describe.skipIf(testDatabase === null)(`two servers on PostgreSQL ${location}`, { timeout: 60_000 }, () => {
  const swift = useSwift()

  /** Settings with a new schema and a new folder in the bucket. */
  function common(): Common {
    const schema = testSchema()
    onTestFinished(() => dropSchema(schema))
    return {
      database: { url: databaseUrl(), schema, maxConnections: 6 },
      bucket: { ...swift().options, prefix: `${randomUUID()}/` },
      key: new Uint8Array(randomBytes(32)),
      baseUrl: 'http://content.example',
    }
  }

  it('read what the other one wrote', async () => {
    const reported: string[] = []
    const picture = new File([new Uint8Array(await specimens.photo())], 'oak-galls.jpg')
    await twoServers(common(), picture, (line) => reported.push(line))
    expect(reported.map(withoutSize)).toEqual([
      'one saved ink-that-remembers, with oak-galls.jpg',
      'two read Ink that remembers',
      'two read original: oak-galls.jpg, 303552 bytes',
      'two read small: oak-galls.jpg, … bytes',
      'one read Ink that stays, which two had saved',
    ])
  })

  it('are started with a worker by the script, and accept each other’s tokens', async () => {
    const { database, bucket } = common()
    const { urls, account, stop } = await startScript({ database, bucket })
    const [one, two] = urls.map((baseUrl) => createClient({ baseUrl, auth: account }))
    const { id } = (await one?.repositories.create({ name: 'magazine' })) ?? {}
    expect(await two?.repositories.get({ id: id ?? '' })).toMatchObject({ name: 'magazine' })
    expect(await stop()).toBe(0)
  })
})
