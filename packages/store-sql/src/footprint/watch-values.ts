import type { EphemeraWriter, TextWriter, UsageWriter } from '@quire/core/ports'
import { entityKeys } from './entity-keys.ts'
import type { Footprint } from './footprint.ts'

function expiring(key: string): string {
  return `expiring ${key}`
}

/** Notes what a transaction reads and writes of expiring values. Every method is named. */
export function watchEphemera(ephemera: EphemeraWriter, footprint: Footprint): EphemeraWriter {
  return {
    get(key, now) {
      footprint.read(expiring(key))
      return ephemera.get(key, now)
    },
    put(key, value, expires) {
      footprint.write(expiring(key))
      return ephemera.put(key, value, expires)
    },
    take(key, now) {
      footprint.read(expiring(key))
      footprint.write(expiring(key))
      return ephemera.take(key, now)
    },
    increment(key, now, expires) {
      footprint.read(expiring(key))
      footprint.write(expiring(key))
      return ephemera.increment(key, now, expires)
    },
    sweep: (now, limit) => ephemera.sweep(now, limit),
  }
}

function textOf(hash: string): string {
  return `text ${hash}`
}

/** Notes what a transaction reads and writes of the texts of files. Every method is named. */
export function watchTexts(texts: TextWriter, footprint: Footprint): TextWriter {
  return {
    get(hash) {
      footprint.read(textOf(hash), entityKeys.textsForgotten)
      return texts.get(hash)
    },
    put(hash, text) {
      footprint.write(textOf(hash))
      return texts.put(hash, text)
    },
    sweep(part) {
      footprint.read(entityKeys.filesNeeded)
      footprint.write(entityKeys.textsForgotten)
      return texts.sweep(part)
    },
  }
}

/**
 * Notes what a transaction reads of usage. Every save changes it, so who reads it keeps others from
 * reading it until the commit. Only transactions in a repository with a quota, or of an account with
 * one, read it.
 */
export function watchUsage(usage: UsageWriter, footprint: Footprint): UsageWriter {
  return {
    async of(scope) {
      await footprint.hold(`usage ${scope.of} ${scope.id}`)
      return usage.of(scope)
    },
    changes: () => usage.changes(),
    fold: (limit) => usage.fold(limit),
  }
}
