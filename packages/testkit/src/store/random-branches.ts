import type { Store } from '@quire/core/ports'
import * as fc from 'fast-check'
import { aBranchModel, take, type BranchModel, type Step } from './branch-model.ts'
import { files, head } from './random-heads.ts'

/** The same cases on every run, so that a failure means that the code changed. */
const SEED = 20_260_101
const RUNS = 40

/**
 * Runs `check` on the branches that result from random steps, with a random value of `drawn`. Each
 * run has its own repository in the store.
 */
export async function onRandomBranches<T>(
  store: Store,
  drawn: fc.Arbitrary<T>,
  check: (model: BranchModel, drawn: T) => Promise<void>,
): Promise<void> {
  let run = 0
  const property = fc.asyncProperty(steps, drawn, async (accepted, rest) => {
    run += 1
    const model = aBranchModel(`REPO_${run}`)
    await store.transaction(async (tx) => {
      for (const [hash, text] of Object.entries(files)) await tx.texts.put(hash, text)
      for (const step of accepted) await take(tx, model, step)
    })
    await check(model, rest)
  })
  await fc.assert(property, { seed: SEED, numRuns: RUNS })
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    id: fc.constantFrom('CONT_1', 'CONT_2', 'CONT_3', 'CONT_4', 'CONT_5', 'CONT_6'),
    inPackage: fc.boolean(),
    act: fc.constantFrom('put', 'put', 'put', 'put', 'mark', 'delete', 'purge', 'describe'),
    head,
  }),
  { minLength: 1, maxLength: 20 },
)
