import type { Highlight } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { takingTurns } from '../call/turns.ts'
import type { Line, Passage, PresentedEntity, SearchDocument, TextQuery } from '../ports/index.ts'
import { highlightsOf } from './highlight.ts'

/** Where a search was found in each of some items, by their ids; those without any such place are left out. */
export async function highlightsIn(
  call: Call,
  line: Line,
  { entities, text }: { entities: readonly PresentedEntity[]; text: TextQuery | undefined },
): Promise<Record<string, Highlight[]>> {
  if (!text || text.terms.length === 0) return {}
  const takeTurns = takingTurns()
  const highlights: Record<string, Highlight[]> = {}
  for (let start = 0; start < entities.length; start += atOnce) {
    const ids = entities.slice(start, start + atOnce).map(({ id }) => id)
    for (const [id, document] of await call.store.entities.documents(line, 'item', ids)) {
      const found = highlightsOf(await passagesOf(call, document), text)
      if (found.length > 0) highlights[id] = found
      await takeTurns()
    }
  }
  return highlights
}

// Documents that are read together: of long ones few are held at a time.
const atOnce = 10

async function passagesOf(call: Call, { name, passages, file }: SearchDocument): Promise<Passage[]> {
  const ofFile = file === null ? null : await call.store.texts.get(file)
  return [
    { path: 'name', text: name },
    ...passages,
    ...(ofFile === null ? [] : [{ path: 'text', text: ofFile }]),
  ]
}
