import { within, type Call } from './call.ts'

/** Thrown to undo a rehearsal; carries what it gave. */
class Rehearsed extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('a rehearsal is undone')
    this.value = value
  }
}

/** Runs work and undoes it (DESIGN: `dryRun`): no version, job, event or outbound call. Answers what it gave. */
export async function rehearse<T>(call: Call, work: (call: Call) => Promise<T>): Promise<T> {
  try {
    return await call.transaction(async (tx) => {
      throw new Rehearsed(await work(within(call, tx)))
    })
  } catch (error) {
    // What is thrown here is what `work` gave.
    if (error instanceof Rehearsed) return error.value as T
    throw error
  }
}
