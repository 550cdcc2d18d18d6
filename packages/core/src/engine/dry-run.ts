import type { Call } from './call.ts'

/** Thrown to roll back a dry run; carries its result. */
class DryRun extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('the dry run is rolled back')
    this.value = value
  }
}

/**
 * Runs work and rolls it back (DESIGN "Conventions of the API"): no version, job, event or outbound
 * call remains. Returns the result of the work. Hooks `before` cannot run inside the transaction: if
 * they have not run before it, operations that the work invokes do without them.
 */
export async function dryRun<T>(call: Call, work: (call: Call) => Promise<T>): Promise<T> {
  try {
    return await call.write(async (call) => {
      throw new DryRun(await work({ ...call, prepared: call.prepared ?? ((_name, input) => input) }))
    })
  } catch (error) {
    // A DryRun is only thrown above, with a value that `work` returned.
    if (error instanceof DryRun) return error.value as T
    throw error
  }
}
