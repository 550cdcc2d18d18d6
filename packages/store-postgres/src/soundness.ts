import { StoreUnavailable } from '@quire/core/ports'

/** Whether a database can still be trusted, as far as this process has found out. */
export interface Soundness {
  /** Does work, and takes note of damage that it meets. Errors: those of the work. */
  watch<T>(work: () => Promise<T>): Promise<T>
  /** Errors: StoreUnavailable `damaged` once damage was met. */
  require(): void
}

/** The soundness of a database that nothing is known of yet. */
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
