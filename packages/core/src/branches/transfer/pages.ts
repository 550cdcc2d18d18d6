import { ExportedEntity, type ExportManifest } from '@quire/contract'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import type { Call } from '../../engine/call.ts'
import { branchKinds } from '../packages/kinds.ts'
import { headsOf, refKey } from '../packages/sides.ts'
import { linesOf, type ArchiveLine } from './archive.ts'
import { lineAs } from './content.ts'
import { incomingOf, type Incoming, type Intake, type ParsedLine } from './incoming.ts'
import { EarlierLines } from './past.ts'

// Lines of a page, and characters. A page of small items is written in less than 0.1 s.
const linesOfPage = 100
const textOfPage = 4 * 1024 ** 2

/** Entities of a file that are planned and written together. */
export interface IncomingPage {
  readonly page: readonly Incoming[]
  /** Whether the file deletes them. */
  readonly isDeletion: boolean
}

/**
 * The entities of a file in the order in which they can be written: what others refer to first, and
 * at the end what a package deletes, in reverse. Refuses every line that cannot be imported, whatever
 * is here.
 */
export async function* pagesOfFile(
  call: Call,
  intake: Intake,
  { extent }: ExportManifest,
): AsyncGenerator<IncomingPage> {
  for (const rules of branchKinds)
    for await (const page of pagesOf(call, intake, rules))
      yield { page: page.filter(({ line }) => line.deleted !== true), isDeletion: false }
  if (extent !== 'package') return
  // What is wrong with them was told the first time.
  const again = { ...intake, refuse: () => undefined }
  for (const rules of branchKinds.toReversed()) {
    const deleted: Incoming[] = []
    for await (const page of pagesOf(call, again, rules))
      deleted.push(...page.filter(({ line }) => line.deleted === true))
    for (let end = deleted.length; end > 0; end -= linesOfPage)
      yield { page: deleted.slice(Math.max(0, end - linesOfPage), end).toReversed(), isDeletion: true }
  }
}

/** The entities of a kind, page by page, as a file has them. */
async function* pagesOf(call: Call, intake: Intake, rules: BranchKind): AsyncGenerator<readonly Incoming[]> {
  for await (const parsed of inPages(parsedLines(intake, rules))) {
    call.signal?.throwIfAborted()
    const heads = await headsOf(
      call.store.entities,
      intake.scope.branch,
      parsed.map(({ line }) => line),
    )
    const page: Incoming[] = []
    for (const { length: _length, ...line } of parsed) {
      const incoming = await incomingOf(call, intake, { ...line, rules, head: heads.get(refKey(line.line)) })
      if (incoming) page.push(incoming)
    }
    yield page
  }
}

type SizedLine = ParsedLine & { readonly length: number }

/** The entities of a kind with their earlier versions. */
async function* parsedLines(intake: Intake, rules: BranchKind): AsyncGenerator<SizedLine> {
  const { archive } = intake.files
  const seen = new Set<string>()
  const versions = new EarlierLines(archive, rules, intake.refuse)
  for await (const line of linesOf(archive, `content/${rules.kind}`)) {
    const parsed = parsedLine(intake, rules, { line, seen })
    if (!parsed) continue
    const earlier = await versions.take(parsed.line.id)
    const length = earlier.reduce((sum, one) => sum + one.length, line.text.length)
    yield { ...parsed, earlier, length }
  }
  await versions.end()
}

async function* inPages(lines: AsyncIterable<SizedLine>): AsyncGenerator<readonly SizedLine[]> {
  let page: SizedLine[] = []
  let [count, length] = [0, 0]
  for await (const line of lines) {
    page.push(line)
    count += 1 + line.earlier.length
    length += line.length
    if (count < linesOfPage && length < textOfPage) continue
    yield page
    page = []
    count = 0
    length = 0
  }
  if (page.length > 0) yield page
}

/** Null if the line is refused. */
function parsedLine(
  { refuse }: Intake,
  rules: BranchKind,
  { line: { at, text }, seen }: { line: ArchiveLine; seen: Set<string> },
): Omit<ParsedLine, 'earlier'> | null {
  const no = (id: string | null, path: string, message: string) => {
    refuse({ at, id, path, message })
    return null
  }
  const parsed = lineAs(ExportedEntity, text)
  if ('message' in parsed) return no(null, parsed.path, parsed.message)
  const line = parsed.value
  if (line.kind !== rules.kind) return no(line.id, 'kind', `must be "${rules.kind}" in this member`)
  if (seen.has(line.id)) return no(line.id, 'id', 'is in the file twice')
  seen.add(line.id)
  const owner = ownerOf(line)
  if (owner !== null && line.type !== owner) return no(line.id, 'type', `must be "${owner}"`)
  return { at, line }
}

/** The type of everything that is not an item: its kind, or the id of its site. Null for items. */
function ownerOf({ kind, id, content }: ExportedEntity): string | null {
  if (kind === 'item') return null
  if (kind === 'site') return id
  if (kind !== 'section' && kind !== 'page') return kind
  const { siteId } = content
  return typeof siteId === 'string' ? siteId : ''
}
