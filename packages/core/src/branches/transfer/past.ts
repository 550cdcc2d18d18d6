import { ExportedVersion, mostVersions, type ImportRefusal } from '@quire/contract'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import { versionOf, visibleVersions } from '../../content/kinds/versions.ts'
import type { Call } from '../../engine/call.ts'
import type { Entity, EntityReader, EntityVersion } from '../../ports/index.ts'
import { mayReadHead } from '../packages/rights.ts'
import { linesOf, type Archive, type ArchiveLine } from './archive.ts'
import { asMembers, lineAs, inVisibleForm, movedContent } from './content.ts'
import type { PublishedDates } from './publication.ts'

// Characters of the earlier versions of one entity, which are held in memory together.
const mostText = 64 * 1024 ** 2

/** Earlier versions of an entity. */
interface Earlier {
  /** Oldest first. */
  readonly lines: readonly ExportedVersion[]
  /** Whether the caller may read all of them. */
  readonly isComplete: boolean
}

/**
 * Which versions before the one of the head to collect: those that are public, and with history as many
 * of the newest as a file may have of one entity.
 */
interface EarlierSelection {
  readonly history: boolean
  /** Where versions are public, by number. */
  readonly publicIn: ReadonlyMap<number, PublishedDates>
}

/** Earlier versions of an entity. */
export async function earlierVersions(
  call: Call,
  { rules, head }: { rules: BranchKind; head: Entity },
  { history, publicIn }: EarlierSelection,
): Promise<Earlier> {
  const lines: ExportedVersion[] = []
  let isComplete = true
  let length = 0
  const { entities } = call.store
  const numbers = [...publicIn.keys()].toSorted((a, b) => b - a)
  const versions = history
    ? visibleVersions(entities, head, head.version)
    : versionsAt(entities, head, numbers)
  for await (const version of versions) {
    const publications = publicIn.get(version.version)
    if (!mayReadHead(call, { ...head, roles: version.roles })) {
      isComplete = false
      continue
    }
    const content = asMembers(movedContent(rules, await inVisibleForm(call, head, version)))
    length += JSON.stringify(content).length
    if (lines.length === mostVersions || length > mostText) {
      isComplete &&= numbers.every((number) => number > version.version)
      break
    }
    const { savedDate, savedBy } = version
    const line = { kind: rules.kind, id: head.id, content, savedDate, savedBy }
    lines.push(publications ? { ...line, publications } : line)
  }
  return { lines: lines.toReversed(), isComplete }
}

/** The versions with these numbers. */
async function* versionsAt(
  entities: EntityReader,
  head: Entity,
  numbers: readonly number[],
): AsyncGenerator<EntityVersion> {
  for (const number of numbers) {
    const version = await versionOf(entities, head, number)
    if (version) yield version
  }
}

/** An earlier version in a file, as it was read. */
export interface EarlierLine {
  readonly at: string
  readonly version: ExportedVersion
  /** Characters. */
  readonly length: number
}

/** The earlier versions of a kind in a file, read along with its entities, which have the same order. */
export class EarlierLines {
  readonly #refuseLine: (refusal: ImportRefusal) => void
  readonly #rules: BranchKind
  readonly #lines: AsyncGenerator<ArchiveLine>
  #next: EarlierLine | null = null

  constructor(archive: Archive, rules: BranchKind, refuse: (refusal: ImportRefusal) => void) {
    this.#refuseLine = refuse
    this.#rules = rules
    this.#lines = linesOf(archive, `versions/${rules.kind}`)
  }

  /** The versions of the next entity, oldest first. Refuses those that are not valid. */
  async take(id: string): Promise<readonly EarlierLine[]> {
    const taken: EarlierLine[] = []
    let length = 0
    for (let next = await this.#peek(); next?.version.id === id; next = await this.#peek()) {
      this.#next = null
      length += next.length
      if (taken.length < mostVersions && length <= mostText) taken.push(next)
      else this.#refuse(next, 'is one version too many of this entity')
    }
    return taken
  }

  /** Refuses what belongs to no entity. */
  async end(): Promise<void> {
    const next = await this.#peek()
    if (next) this.#refuse(next, `does not follow the order of content/${this.#rules.kind}`)
  }

  async #peek(): Promise<EarlierLine | null> {
    while (this.#next === null) {
      const line = await this.#lines.next()
      if (line.done === true) return null
      this.#next = this.#parsed(line.value)
    }
    return this.#next
  }

  #parsed({ at, text }: ArchiveLine): EarlierLine | null {
    const no = (message: string, path = '') => {
      this.#refuseLine({ at, id: null, path, message })
      return null
    }
    const parsed = lineAs(ExportedVersion, text)
    if ('message' in parsed) return no(parsed.message, parsed.path)
    const { kind } = this.#rules
    if (parsed.value.kind !== kind) return no(`must be "${kind}" in this member`, 'kind')
    return { at, version: parsed.value, length: text.length }
  }

  #refuse({ at, version }: EarlierLine, message: string): void {
    this.#refuseLine({ at, id: version.id, path: '', message })
  }
}
