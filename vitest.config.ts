import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const conditions = ['quire-source', 'node', 'development|production']

/** Tests that start processes, or that a busy machine makes late: one after the other, with nothing beside them. */
const alone = [
  'test/{browser,fuzz,kill,passthrough,upkeep,uploads,webhooks,workflow}/**/*.test.ts',
  'packages/server/src/{commands,management,sign-in}/**/*.test.ts',
  'packages/server/test/{shared-database,migrate-store/bucket,migrate-store/command}.test.ts',
  'packages/{extract-node,outbound-undici}/src/**/*.test.ts',
  'packages/blobs-fs/src/processes.test.ts',
  'packages/blobs-s3/test/{faults,processes,slow-bucket}.test.ts',
  'examples/postgres-s3/**/*.test.ts',
]

const never = ['**/node_modules/**', '**/dist/**']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['quire-source'] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'beside',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'test/**/*.test.ts',
            'examples/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: [...never, ...alone],
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: alone, exclude: never, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
    pool: 'forks',
    testTimeout: 20_000,
    passWithNoTests: false,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'node_modules/.cache/vitest-results.json' }]]
      : ['default'],
  },
})
