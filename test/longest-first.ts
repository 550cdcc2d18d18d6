import { matchesGlob, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longest } from './tiers.ts'

/** The usual order of test files, but with the longest first, also where no earlier run has measured them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => {
      const path = relative(this.ctx.config.root, moduleId)
      return longest.some((glob) => matchesGlob(path, glob))
    }
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
