import { limits, type ContentType } from '@quire/contract'
import type { Entity, Transaction } from '../../ports/index.ts'
import type { ItemContext } from './item-json.ts'

/** A head that is written, with the versions that it had before. */
interface WrittenItem extends Pick<ItemContext, 'versionHistory'> {
  readonly type: ContentType
  readonly head: Entity
  readonly before: Entity | null
}

/** The versions of an item that are deleted: those before a number, but one. */
interface OldVersions {
  readonly before: number
  readonly retain: number | null
}

/**
 * The versions to delete: all below `before`, except the published one. Null if all are retained.
 */
export async function versionsToForget(
  store: Transaction,
  head: Entity,
  type: ContentType,
): Promise<OldVersions | null> {
  const versionLimit = await versionLimitOf(store, head, type)
  if (versionLimit === null || head.version <= versionLimit) return null
  const published = Object.values(head.publications ?? {}).map(({ version }) => version)
  return {
    before: Math.min(head.version - versionLimit + 1, ...published),
    retain: head.publishedVersion,
  }
}

/**
 * The version history without versions that can no longer be read. In a package it leaves out
 * main's versions if main may delete them.
 */
export function retainedHistory(
  { versionHistory, head, before, type }: WrittenItem,
  old: OldVersions | null,
): ItemContext['versionHistory'] {
  const isFromMain = before !== null && before.packageId !== head.packageId
  if (isFromMain && type.settings.versionLimit !== null)
    return versionHistory.filter(({ version }) => version === head.version)
  return old
    ? versionHistory.filter(({ version }) => version >= old.before || version === old.retain)
    : versionHistory
}

/**
 * How many versions of an item are retained: as many as its type says. If the type sets no limit,
 * all (null); but of an item whose versions take more than 64 MiB only the newest 100. Otherwise a
 * caller who may write one item could fill the disk with its versions.
 */
async function versionLimitOf(
  store: Pick<Transaction, 'entities'>,
  head: Entity,
  { settings }: ContentType,
): Promise<number | null> {
  if (settings.versionLimit !== null) return settings.versionLimit
  if (!mustMeasureVersions(head.version)) return null
  const { bytes } = await store.entities.versionTotals(head, head)
  return bytes > limits.versionsBytes ? limits.versionsKept : null
}

/**
 * Whether this save measures the versions. Measuring takes time proportional to their number: up to
 * version 1 000 every save does it, and above that every hundredth.
 */
function mustMeasureVersions(version: number): boolean {
  return version > limits.versionsKept && (version <= 1000 || version % 100 === 0)
}
