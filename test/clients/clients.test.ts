import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDemo, type DemoService } from './demo.ts'
import { openProject } from './project.ts'
import { readSections } from './sections.ts'

const sections = readSections()
const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>
}

describe('the guide to generated clients', () => {
  let service: DemoService

  beforeAll(async () => {
    service = await startDemo()
  }, 60_000)

  afterAll(() => service.stop())

  it('has a command and a program for each generator', () => {
    expect(sections.map(({ name }) => name)).toEqual(['openapi-typescript', 'orval', 'hey-api', 'oazapfts'])
    expect(sections.flatMap(({ packages }) => packages).filter((name) => !devDependencies[name])).toEqual([])
    for (const { printed } of sections) expect(printed).toHaveLength(3)
  })

  // One after the other: each program expects to find only its own item.
  it.each(sections)(
    'has code of $name that compiles, and creates, reads, changes and finds an item',
    async (section) => {
      const project = await openProject(section, service)
      try {
        await project.generate()
        expect(await project.compile()).toBe('')
        expect(await project.run()).toEqual(section.printed)
      } finally {
        await project.close()
      }
    },
    60_000,
  )
})
