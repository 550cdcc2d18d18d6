import { expect, it } from 'vitest'
import type { Entity, EntityReader, EntityVersion } from '../../ports/index.ts'
import { visibleVersions } from './versions.ts'

it('reads a few versions at a time, because each may be large', async () => {
  const all = Array.from({ length: 100 }, (_, at) => ({ version: 100 - at }) as EntityVersion)
  const limits: number[] = []
  const entities: Pick<EntityReader, 'versions'> = {
    async versions(_branch, _ref, { before = Infinity, limit }) {
      limits.push(limit)
      return all.filter(({ version }) => version < before).slice(0, limit)
    },
  }
  const head = { repositoryId: 'REPO_1', packageId: null } as Entity
  const visible: number[] = []
  for await (const { version } of visibleVersions(entities as EntityReader, head)) visible.push(version)
  expect(visible).toEqual(all.map(({ version }) => version))
  expect(Math.max(...limits)).toBeLessThanOrEqual(10)
})
