import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { tiers } from './test/tiers.ts'

const conditions = ['quire-source', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['quire-source'] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: tiers.units.include,
          exclude: tiers.units.exclude,
          // Loading the engine again for each file would take half of the CPU time.
          isolate: false,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'quick',
          include: tiers.quick.include,
          exclude: tiers.quick.exclude,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'services',
          include: tiers.services.include,
          exclude: tiers.services.exclude,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: tiers.alone.include,
          exclude: tiers.alone.exclude,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
    pool: 'forks',
    testTimeout: 20_000,
    passWithNoTests: false,
  },
})
