import type { Api } from '@quire/contract'
import { expect } from 'vitest'
import { failing } from '../failing.ts'

/** Identifies an item on a branch. */
export interface ItemOnBranch {
  readonly configId: string
  readonly id: string
  readonly packageName?: string
}

/**
 * Checks a live item on any branch: every version number in any answer about it can be read, and
 * returns that version.
 */
export async function expectNumbersAskable(api: Api, at: ItemOnBranch): Promise<void> {
  const numbers = await numbersAnswered(api, at)
  for (const number of numbers) {
    const version = String(number)
    expect(await api.items.get({ ...at, version })).toMatchObject({ currentVersion: number })
    expect(await api.items.diff({ ...at, from: version })).toMatchObject({ from: number })
  }
  await failing(api.items.get({ ...at, version: String(Math.max(...numbers) + 1) }), 'not_found')
}

/**
 * All version numbers in any answer about an item on its branch, even those of changes that were
 * dropped later.
 */
async function numbersAnswered(api: Api, at: ItemOnBranch): Promise<ReadonlySet<number>> {
  const { configId, id, packageName } = at
  const item = await api.items.get(at)
  const { count, items: versions } = await api.items.versions({ ...at, limit: 1000 })
  expect(count).toBe(versions.length)
  const reported = await api.activity.get({
    configId,
    assetId: id,
    ...(packageName !== undefined && { packageName }),
  })
  expect(reported.versionHistory).toEqual(versions.map(({ version }) => String(version)))
  expect(versions.map(({ version }) => version)).toEqual(
    expect.arrayContaining((item.versionHistory ?? []).map(({ version }) => version)),
  )
  const published = item.isPublished === true && item.isArchived === false
  const publishedDiff = published ? await api.items.diff({ ...at, from: 'latestpublished' }) : null
  if (publishedDiff)
    expect(versions.filter(({ isLatestPublished }) => isLatestPublished)).toMatchObject([
      { version: publishedDiff.from },
    ])
  return new Set([
    ...[item.currentVersion, item.latestVersion].map(Number),
    ...versions.map(({ version }) => version),
    ...(publishedDiff ? [publishedDiff.from, publishedDiff.to] : []),
    ...(packageName === undefined ? [] : await numbersOfChange(api, { configId, id, packageName })),
  ])
}

/**
 * The version numbers of a package's change. Its own are those of the branch; those of main are
 * read on main.
 */
async function numbersOfChange(
  api: Api,
  { configId, id, packageName }: Required<ItemOnBranch>,
): Promise<number[]> {
  const { items } = await api.packages.changes({ repo: configId, packageName, limit: 1000 })
  const change = items.find(({ entity }) => entity.id === id)
  for (const version of [change?.baseVersion, change?.mainVersion])
    if (typeof version === 'number')
      expect(await api.items.get({ configId, id, version: String(version) })).toMatchObject({
        currentVersion: version,
      })
  return change ? [change.version] : []
}
