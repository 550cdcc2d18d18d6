import { StoreUnavailable } from '@quire/core/ports'

/** Whether a database can still be trusted, judging by the errors in this process. */
export interface Soundness {
  /** Runs work and records damage that it meets. Errors: those of the work. */
  watch<T>(work: () => Promise<T>): Promise<T>
  /** Errors: StoreUnavailable `damaged` once damage was met. */
  require(): void
}

/** Starts without known damage. */
export function createSoundness(): Soundness {
  let damage: StoreUnavailable | null = null
  return {
    async watch(work) {
      try {
        return await work()
      } catch (error) {
        if (error instanceof StoreUnavailable && error.kind === 'damaged') damage ??= error
        throw error
      }
    },
    require() {
      if (damage) throw damage
    },
  }
}
