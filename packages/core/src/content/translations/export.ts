import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { valueOf } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { localesOf } from '../../engine/locales.ts'
import { findScope } from '../../engine/scope.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import type { Entity } from '../../ports/index.ts'
import { rulesOf } from '../fields/index.ts'
import { typeOf } from '../types/find.ts'
import { translatedLocales } from './list.ts'
import { statesIn, type StatedTranslation } from './stamps.ts'
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
  await translatedLocales(call, scope, listed.locale)
  const locales = await localesOf(call, scope.repository.id)
  if (!locales) throw invalid([])
  const header = { version, sourceLocale: locales.default, targetLocale: listed.locale }
  return new ServedBytes({
    mimeType: 'application/xliff+xml',
    fileName: `${scope.repository.name}-${listed.locale}.xlf`,
    size: null,
    etag: null,
    disposition: 'attachment',
    isImmutable: false,
    isNegotiated: false,
    open: async () => encoded(xliffText(header, itemsOf(call, listed))),
  })
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}

type Listed = Omit<ParsedOf<Export>, 'xliffVersion'>

async function* itemsOf(call: Call, { state, locale, ...listed }: Listed): AsyncGenerator<ItemToWrite> {
  const { branch } = await findScope(call, listed)
  const states = state ?? ['missing', 'outdated']
  const yieldToLoop = yieldingToLoop()
  let cursor: string | undefined
  do {
    call.signal?.throwIfAborted()
    const page = valueOf(
      await call.invoke('translations.list', {
        ...listed,
        locale,
        state: states,
        limit: 100,
        skipCount: true,
        cursor,
      }),
    )
    const ids = page.items.map(({ id }) => id)
    const heads = new Map(
      (await call.store.entities.getMany(branch, 'item', ids)).map((head) => [head.id, head]),
    )
    for (const id of ids) {
      await yieldToLoop()
      const head = heads.get(id)
      const units = head
        ? await unitsOf(call, head, (one) => one.locale === locale && states.includes(one.state))
        : []
      if (head && units.length > 0) yield { id, name: head.name, units }
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

async function unitsOf(
  call: Call,
  head: Entity,
  isWanted: (translation: StatedTranslation) => boolean,
): Promise<UnitToWrite[]> {
  const translations = statesIn(await typeOf(call, head), head).filter(isWanted)
  return translations.flatMap(({ path, source, value, state, definition }): UnitToWrite[] => {
    if (!rulesOf(definition).isProse || typeof source !== 'string' || source === '') return []
    const target = typeof value === 'string' && value !== '' ? value : null
    return [{ path, source, target, isCurrent: state === 'current' }]
  })
}
