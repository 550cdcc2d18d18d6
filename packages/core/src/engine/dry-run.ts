import type { Call } from './call.ts'

/** Thrown to undo a rehearsal; carries what it gave. */
class DryRun extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('a rehearsal is undone')
    this.value = value
  }
}

/** Runs work and undoes it (DESIGN "Conventions of the API"): no version, job, event or outbound call. Answers what it gave. */
export async function dryRun<T>(call: Call, work: (call: Call) => Promise<T>): Promise<T> {
  try {
    return await call.write(async (call) => {
      throw new DryRun(await work(call))
    })
  } catch (error) {
    // What is thrown here is what `work` gave.
    if (error instanceof DryRun) return error.value as T
    throw error
  }
}
