import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
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
    sequence: { sequencer: LongestFirst },
    // Threads that strip types run WebAssembly, and V8 13.6 aborts the process when two of them compile the same
    // wrapper for an import at once (TierUpWasmToJSWrapper, ThreadIsolation::UnregisterWasmAllocation). None is
    // compiled before so many calls. What is built strips no types.
    execArgv: ['--wasm-wrapper-tiering-budget=1000000000'],
    testTimeout: 20_000,
    // A machine that is busy with other tests is late.
    expect: { poll: { timeout: 15_000 } },
    passWithNoTests: false,
  },
})
