import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileBlobs } from '@quire/blobs-fs'
import { nodeExtraction } from '@quire/extract-node'
import { sharpMedia } from '@quire/media-sharp'
import { type Api, QuireError } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { memorySecrets, seededIds } from '@quire/core/memory'
import { fakeTargets } from '@quire/testkit'
import { apiSuite } from '@quire/testkit/suites'
import { describe, expect, it } from 'vitest'
import { openTestStore, location, testDatabase } from '../../../../test/services/postgres.ts'
import { engineOn } from './engine.ts'

describe.skipIf(testDatabase === null)(`PostgreSQL ${location}`, () => {
  apiSuite('in process, on PostgreSQL', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-api-'))
    const { store, dispose } = await openTestStore()
    const engine = engineOn(store, {
      blobs: await openFileBlobs({ folder: join(folder, 'blobs'), minFreeBytes: 0 }),
      media: sharpMedia(),
      extraction: nodeExtraction(),
    })
    return {
      ...engine,
      connect: (caller) => engine.quire.as(caller),
      close: async () => {
        await engine.quire.close()
        await dispose()
        rmSync(folder, { recursive: true })
      },
    }
  })
})

describe.skipIf(testDatabase === null)(`two engines on one schema of PostgreSQL ${location}`, () => {
  // The promise is one second. A busy machine may take longer.
  const soon = { timeout: 5_000, interval: 10 }

  it('know within a second what the other changed (permissions, settings, repositories, schemas), and do once what both are asked to', async () => {
    const { store, openAnother, dispose } = await openTestStore()
    const secrets = memorySecrets()
    const one = engineOn(store, { secrets })
    const { clock } = one
    const second = await openAnother()
    const options = {
      baseUrl: 'http://quire.test',
      ids: seededIds(2, clock),
      outbound: fakeTargets(),
      secrets,
    }
    const two = createQuire({ store: second, clock, ...options })
    const [system, other] = [one.quire.as(systemIdentity('test')), two.as(systemIdentity('test'))]
    const role = await system.roles.create({ name: 'All', bundles: ['bundle.administrator'] })
    const { id } = await system.serviceAccounts.create({ name: 'Somebody', roles: [role.id] })
    const account = two.as({ kind: 'service', id })
    const asked = () =>
      account.admin.settings().then(
        () => 'answered',
        (error: unknown) => (error instanceof QuireError ? error.code : error),
      )
    await expect.poll(asked, soon).toBe('answered')
    await system.roles.update({ id: role.id, bundles: [] })
    await expect.poll(asked, soon).toBe('forbidden')

    await system.admin.updateSettings({ jobsKeptDays: 7 })
    await expect.poll(async () => (await other.admin.settings()).jobsKeptDays, soon).toBe(7)
    await other.repositories.create({ name: 'magazine' })
    await expect
      .poll(() => system.repositories.get({ id: 'magazine' }).catch(() => null), soon)
      .not.toBeNull()

    const fields = [{ name: 'title', kind: 'text' as const }]
    const type = await system.types.create({ name: 'article', fields })
    const create = (api: Api) =>
      api.items.create({ repositoryId: 'magazine', type: 'article', name: 'One' }, { idempotencyKey: 'once' })
    expect((await create(other)).id).toBe((await create(system)).id)
    expect(await other.items.list({ configId: 'magazine' })).toMatchObject({ count: 1 })

    const schema = async () => {
      const answer = await other.graphql.schema({ configId: 'magazine' })
      return new TextDecoder().decode(await answer.bytes())
    }
    await expect.poll(schema, soon).toContain('title')
    await system.types.update({ id: type.id, fields: [...fields, { name: 'subtitle', kind: 'text' }] })
    await expect.poll(schema, soon).toContain('subtitle')

    await Promise.all([one.quire.close(), two.close()])
    await dispose()
  })
})
