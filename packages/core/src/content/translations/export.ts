import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { findScope, type Scope } from '../../engine/scope.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import { typeOf } from '../types/find.ts'
import { pageOfTranslated, translatedLocales } from './list.ts'
import { textsIn, type StatedText } from './stamps.ts'
import { xliffText, type ItemToWrite, type UnitToWrite } from './write-xliff.ts'

type Export = Contract['translations']['export']

/**
 * Texts to translate as XLIFF, read page by page while they are sent. Errors: `not_found`; `invalid` as
 * for a list of translations.
 */
export async function exportTranslations(
  call: Call,
  { xliffVersion: version, ...listed }: ParsedOf<Export>,
): Promise<OutputOf<Export>> {
  const scope = await findScope(call, listed)
  const { source, codes } = await translatedLocales(call, scope, listed.locale)
  const header = { version, sourceLocale: source, targetLocale: listed.locale }
  return new ServedBytes({
    mimeType: 'application/xliff+xml',
    fileName: `${scope.repository.name}-${listed.locale}.xlf`,
    size: null,
    etag: null,
    disposition: 'attachment',
    isImmutable: false,
    isNegotiated: false,
    open: async () => encoded(xliffText(header, itemsOf(call, { scope, codes, ...listed }))),
  })
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}

interface Listed extends Pick<ParsedOf<Export>, 'type' | 'locale' | 'state'> {
  readonly scope: Scope
  readonly codes: readonly string[]
}

async function* itemsOf(
  call: Call,
  { scope, codes, type, locale, state }: Listed,
): AsyncGenerator<ItemToWrite> {
  const states = state ?? ['missing', 'outdated']
  const yieldToLoop = yieldingToLoop()
  let cursor: string | undefined
  do {
    call.signal?.throwIfAborted()
    const input = { type, limit: 100, skipCount: true, cursor }
    const { heads, nextCursor } = await pageOfTranslated(call, { scope, codes, state: states, input })
    for (const head of heads) {
      await yieldToLoop()
      const texts = textsIn(await typeOf(call, head), head, locale)
      const units = texts.filter((text) => states.includes(text.state)).map(unitOf)
      if (units.length > 0) yield { id: head.id, name: head.name, units }
    }
    cursor = nextCursor
  } while (cursor !== undefined)
}

function unitOf({ path, source, value, state }: StatedText): UnitToWrite {
  const target = typeof value === 'string' && value !== '' ? value : null
  return { path, source, target, isCurrent: state === 'current' }
}
