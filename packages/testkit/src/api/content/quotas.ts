import type { Api, Quota } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import { prepareFiles, textFile } from '../files/files.ts'
import { codesOf } from '../delivery/graphql-sender.ts'
import { everything, type Bench } from '../host.ts'

let count = 0

/** Quotas of repositories and accounts, and their messages. */
export function quotaTests(bench: () => Bench): void {
  describe('quotas', () => {
    beforeAll(() => prepareFiles(bench().system))
    refusalTests(bench)
    accountTests(bench)
    returningTests(bench)
    inputTests(bench)
  })
}

/** Creates a repository with a quota. */
async function limited({ system }: Bench, quota: Partial<Quota>): Promise<string> {
  count += 1
  const name = `limited-${count}`
  await system.repositories.create({ name, settings: { quota } })
  return name
}

function create(api: Api, repositoryId: string, more: { packageName?: string } = {}) {
  return api.items.create({ repositoryId, type: 'author', name: 'Somebody', ...more })
}

async function stored({ api }: Bench, id: string) {
  const { quota: _quota, ...usage } = await api.repositories.usage({ id })
  return usage
}

function refusalTests(bench: () => Bench): void {
  describe('of a repository', () => {
    it('refuse one item too many, naming quota, usage, limit and what to do', async () => {
      const { api } = bench()
      const name = await limited(bench(), { items: 2 })
      await create(api, name)
      const second = await create(api, name)
      const { message, details, status } = await failing(create(api, name), 'quota_exceeded')
      expect(status).toBe(507)
      expect(message).toBe(
        `The repository "${name}" has a quota of 2 items, of which 2 are used, and this adds 1: delete what is not needed (it counts until it is purged), or have settings.quota.items raised.`,
      )
      expect(details).toMatchObject({ of: 'repository', quota: 'items', used: 2, adds: 1, limit: 2 })
      await api.items.update({ configId: name, id: second.id, name: 'Changed' })
      expect(await stored(bench(), name)).toMatchObject({ items: 2, versions: 3 })
    })

    it('apply in GraphQL, to copies, in packages, and to each item of a bulk', async () => {
      const { api } = bench()
      const name = await limited(bench(), { versions: 4 })
      const ids = [(await create(api, name)).id, (await create(api, name)).id]
      await api.packages.create({ repo: name, name: 'draft' })
      const bulk = { configId: name, action: 'update', input: { description: 'Changed' } } as const
      await failing(
        api.items.bulk({ ...bulk, ids: [...ids, ids[0] ?? ''], atomic: true }).then(() => create(api, name)),
        'quota_exceeded',
      )
      const { succeeded, outcomes } = await api.items.bulk({ ...bulk, input: { description: 'Again' }, ids })
      expect(succeeded).toBe(0)
      expect(outcomes.map(({ error }) => error?.code)).toEqual(['quota_exceeded', 'quota_exceeded'])
      await failing(api.items.copy({ configId: name, id: ids[0] ?? '' }), 'quota_exceeded')
      await failing(create(api, name, { packageName: 'draft' }), 'quota_exceeded')
      const mutation = 'mutation { createAuthor(input: { name: "Somebody" }) { id } }'
      expect(await codesOf(api, mutation, { configId: name })).toEqual(['quota_exceeded'])
      expect(await stored(bench(), name)).toMatchObject({ items: 2, versions: 4 })
    })

    it('refuse an atomic bulk or a merge as a whole', async () => {
      const { api } = bench()
      const name = await limited(bench(), {})
      const ids = [(await create(api, name)).id, (await create(api, name)).id]
      const scope = { configId: name, packageName: 'draft' }
      await api.packages.create({ repo: name, name: 'draft' })
      for (const id of ids) await api.items.update({ ...scope, id, name: 'In a package' })
      await api.repositories.update({ id: name, settings: { quota: { versions: 5 } } })
      const before = await stored(bench(), name)
      expect(before).toMatchObject({ items: 2, versions: 4 })
      const input = { description: 'Changed' }
      await failing(
        api.items.bulk({ configId: name, action: 'update', ids, input, atomic: true }),
        'quota_exceeded',
      )
      await failing(api.packages.merge({ repo: name, packageName: 'draft' }), 'quota_exceeded')
      expect(await stored(bench(), name)).toEqual(before)
      expect(await api.items.get({ configId: name, id: ids[0] ?? '' })).toMatchObject({ currentVersion: 1 })
      await api.repositories.update({ id: name, settings: { quota: { versions: 6 } } })
      await api.packages.merge({ repo: name, packageName: 'draft' })
      expect(await stored(bench(), name)).toMatchObject({ items: 2, versions: 6 })
    })

    it('count files, and are checked before an upload begins', async () => {
      const { api } = bench()
      const name = await limited(bench(), { bytes: 10_000 })
      const file = textFile('x'.repeat(1500))
      const asset = await api.assets.create({ configId: name, file })
      const { bytes } = await stored(bench(), name)
      expect(bytes).toBeGreaterThan(1500)
      await api.items.update({ configId: name, id: asset.id, name: 'Renamed' })
      expect((await stored(bench(), name)).bytes).toBeLessThan(2 * bytes - 1000)
      const metadata = { repositoryId: name, filename: 'a.mp4', filetype: 'video/mp4', type: 'clip' }
      const { details } = await failing(api.uploads.create({ length: 10_000, metadata }), 'quota_exceeded')
      expect(details).toMatchObject({ quota: 'bytes', adds: 10_000, limit: 10_000 })
      const used = (await stored(bench(), name)).bytes
      await api.repositories.update({ id: name, settings: { quota: { bytes: used + 1500 } } })
      const next = textFile('y'.repeat(1600))
      await failing(api.assets.replace({ configId: name, assetId: asset.id, file: next }), 'quota_exceeded')
      expect(await api.items.get({ configId: name, id: asset.id })).toMatchObject({ asset: { size: 1500 } })
    })

    it('make a scheduled job fail, with the reason', async () => {
      const { api, scope } = bench()
      const name = await limited(bench(), {})
      const { id } = await create(api, name)
      const on = { repo: name, packageName: 'due' }
      await api.packages.create({ repo: name, name: on.packageName })
      await api.items.update({ configId: name, packageName: on.packageName, id, name: 'Changed' })
      await api.packages.merge({ ...on, mergeAt: scope.clock.now() + 1000 })
      await api.repositories.update({ id: name, settings: { quota: { versions: 2 } } })
      scope.clock.advance(2000)
      // Queuing something makes the service look for due jobs.
      await api.items.publish({ configId: name, id, at: scope.clock.now() + 1_000_000 })
      await scope.quire.settled()
      const { items: jobs } = await api.queue.list({ kind: 'package.merge', repositoryId: name })
      expect(jobs).toMatchObject([
        { state: 'failed', error: expect.stringContaining('has a quota of 2 versions') },
      ])
      expect(await api.packages.get(on)).toMatchObject({ state: 'open' })
      await api.repositories.update({ id: name, settings: { quota: { versions: 3 } } })
      await api.packages.merge(on)
    })

    it('are checked again when an upload is complete, which then waits for space', async () => {
      const { api } = bench()
      const name = await limited(bench(), { items: 1 })
      const metadata = { repositoryId: name, filename: 'a.txt' }
      const file = textFile('whole')
      const { id: uploadId } = await api.uploads.create({
        length: file.size,
        metadata: { ...metadata, type: 'document' },
      })
      await create(api, name)
      await failing(api.uploads.append({ uploadId, offset: 0, file }), 'quota_exceeded')
      await api.repositories.update({ id: name, settings: { quota: { items: 2 } } })
      const { offset } = await api.uploads.get({ uploadId })
      const rest = { uploadId, offset, file: file.slice(offset) as File }
      expect((await api.uploads.append(rest)).itemId).toMatch(/^CONT_/)
    })

    it('are not exceeded by concurrent writes', async () => {
      const { api } = bench()
      const name = await limited(bench(), { items: 10 })
      const all = await Promise.allSettled(Array.from({ length: 25 }, () => create(api, name)))
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
      expect(await stored(bench(), name)).toMatchObject({ items: 10, versions: 10 })
    })
  })
}

function accountTests(bench: () => Bench): void {
  describe('of an account', () => {
    it('apply in every repository, to what the account creates and to nobody else', async () => {
      const { api, system, asUser } = bench()
      const { roles } = await system.roles
        .create({ name: 'Quota', ...everything })
        .then(({ id }) => ({ roles: [id] }))
      const id = 'quota@example.org'
      await system.users.create({ id, name: 'Quota', roles, settings: { quota: { items: 1 } } })
      const [one, other] = [await limited(bench(), {}), await limited(bench(), {})]
      const user = asUser(id)
      const made = await create(user, one)
      const { message } = await failing(create(user, other), 'quota_exceeded')
      expect(message).toContain(`The account "${id}" has a quota of 1 items, of which 1 are used`)
      await user.items.update({ configId: one, id: made.id, name: 'Changed' })
      await api.items.update({ configId: one, id: made.id, description: 'By somebody else' })
      await create(api, one)
      expect(await user.users.usage({ id })).toMatchObject({
        items: 1,
        versions: 2,
        quota: { items: 1, bytes: null },
      })
      await api.users.update({ id, settings: { quota: { items: 2 } } })
      await create(user, other)
      expect(await api.users.get({ id })).toMatchObject({ settings: { quota: { items: 2, versions: null } } })
    })

    it('apply to service accounts, which cannot raise their own', async () => {
      const { api, as } = bench()
      const robot = await as({ bundles: ['bundle.editor'] })
      const { identity } = await robot.auth.myPermissions()
      const { id } = identity
      await api.serviceAccounts.update({ id, settings: { quota: { versions: 1 } } })
      const name = await limited(bench(), {})
      await create(robot, name)
      await failing(create(robot, name), 'quota_exceeded')
      await failing(robot.serviceAccounts.update({ id, settings: { quota: { versions: 9 } } }), 'forbidden')
      expect(await robot.serviceAccounts.usage({ id })).toMatchObject({ items: 1, quota: { versions: 1 } })
      await failing(robot.users.usage({ id: 'quota@example.org' }), 'forbidden')
      await failing(robot.repositories.usage({ id: 'nowhere' }), 'not_found')
      await failing(api.users.usage({ id: 'nobody@example.org' }), 'not_found')
      await failing(api.serviceAccounts.usage({ id: 'SVCA_NONE' }), 'not_found')
      await failing((await as({})).repositories.usage({ id: name }), 'forbidden')
    })
  })
}

function returningTests(bench: () => Bench): void {
  describe('an operation that frees space', () => {
    it('is never refused, even with a quota below the usage', async () => {
      const { api, scope } = bench()
      const name = await limited(bench(), {})
      const [first, second] = [await create(api, name), await create(api, name)]
      await api.packages.create({ repo: name, name: 'draft' })
      await api.repositories.update({ id: name, settings: { quota: { items: 1, versions: 1, bytes: 1 } } })
      await failing(api.items.update({ configId: name, id: first.id, name: 'More' }), 'quota_exceeded')
      expect((await api.items.list({ configId: name })).items).toHaveLength(2)
      await api.repositories.update({
        id: name,
        description: 'Changed',
        settings: { quota: { bytes: null } },
      })
      await api.items.delete({ configId: name, packageName: 'draft', id: second.id })
      await api.items.delete({ configId: name, id: first.id })
      expect(await stored(bench(), name)).toMatchObject({ items: 2, versions: 3 })
      await api.packages.merge({ repo: name, packageName: 'draft' })
      await api.packages.delete({ repo: name, packageName: 'draft' })
      const { id: repositoryId } = await api.repositories.get({ id: name })
      await scope.store.transaction(async (tx) => {
        for (const { id } of [first, second])
          await tx.entities.purge({ repositoryId, packageId: null }, { kind: 'item', id })
      })
      expect(await stored(bench(), name)).toEqual({ items: 0, versions: 0, bytes: 0 })
      await create(api, name)
    })

    it('is never refused because it changes other items', async () => {
      const { api } = bench()
      const name = await limited(bench(), {})
      const fields = [{ name: 'peer', kind: 'reference', settings: { onDelete: 'unset' } }] as const
      await api.types.create({ name: 'peer', fields: [...fields] })
      const target = await api.items.create({ repositoryId: name, type: 'peer', name: 'Target' })
      const held = { repositoryId: name, type: 'peer', name: 'Holder', fields: { peer: target.id } }
      const { id } = await api.items.create(held)
      await api.repositories.update({ id: name, settings: { quota: { versions: 2 } } })
      await failing(api.items.update({ configId: name, id, fields: { peer: null } }), 'quota_exceeded')
      await api.items.delete({ configId: name, id: target.id })
      expect(await api.items.get({ configId: name, id })).toMatchObject({ currentVersion: 2, fields: {} })
      expect(await stored(bench(), name)).toMatchObject({ versions: 3 })
    })

    it('includes a save that deletes old versions beyond the limit of the type', async () => {
      const { api } = bench()
      const name = await limited(bench(), { versions: 5 })
      const type = await api.types.create({ name: 'short', settings: { versionLimit: 2 }, fields: [] })
      const item = await api.items.create({ repositoryId: name, type: type.name, name: 'Short' })
      for (let version = 2; version < 9; version += 1)
        await api.items.update({ configId: name, id: item.id, description: `${version}` })
      expect(await stored(bench(), name)).toMatchObject({ items: 1, versions: 2 })
    })
  })
}

function inputTests(bench: () => Bench): void {
  it.each([
    ['negative', { bytes: -1 }, 'settings.quota.bytes'],
    ['a fraction', { items: 1.5 }, 'settings.quota.items'],
    ['a text', { versions: '5' }, 'settings.quota.versions'],
    ['an unknown member', { files: 1 }, 'settings.quota.files'],
  ])('that are %s are named', async (_name, quota, path) => {
    const { repositories, users, serviceAccounts } = bench().api
    // The cast sends what the types forbid.
    const settings = { quota } as never
    expect(await invalidAt(repositories.create({ name: 'bad', settings }))).toEqual([path])
    expect(await invalidAt(repositories.update({ id: 'magazine', settings }))).toEqual([path])
    expect(await invalidAt(users.create({ id: 'bad@example.org', name: 'Bad', settings }))).toEqual([path])
    expect(await invalidAt(serviceAccounts.create({ name: 'Bad', settings }))).toEqual([path])
  })
}
