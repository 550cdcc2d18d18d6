import { mutationOptions, queryOptions } from '@quire/client/query'
import type { Item, TranslationState } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { Act } from '../controls/act.tsx'
import { Problem } from '../controls/problem.tsx'
import { Value } from '../controls/value.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'
import { dotted, valueAt, type Path } from './editing.ts'

/** What is translated, and how far that is done. */
interface Translation {
  readonly item: Item
  /** The name and the code of the locale that is translated. */
  readonly from: { readonly code: string; readonly name: string }
  readonly to: string
  readonly source: unknown
  readonly states: ReadonlyMap<string, TranslationState>
}

const TranslationContext = createContext<Translation | null>(null)

/** From which locale one translates into which here; null: one edits the default locale, or there are none. */
export function useTranslated(): Pick<Translation, 'from' | 'to'> | null {
  const { localized, repository } = useBranch()
  const locales = repository?.settings.locales
  const { locale: to } = localized
  const from = locales?.list.find(({ code }) => code === locales.default)
  return to === undefined || from === undefined || to === from.code ? null : { from, to }
}

interface TranslationProviderProps {
  readonly item: Item
  readonly children: ReactNode
}

/** Gives the editor of a translation the texts of the default locale. Elsewhere it does nothing. */
export function TranslationProvider({ item, children }: TranslationProviderProps) {
  const { at } = useBranch()
  const { id } = item
  const { from, to } = useTranslated() ?? {}
  const isTranslation = from !== undefined && to !== undefined
  const source = useQuery({
    ...queryOptions(quire, 'items.get', { ...at, id, ...(from && { locale: from.code }), fallback: false }),
    enabled: isTranslation,
  })
  const list = useQuery({
    ...queryOptions(quire, 'translations.list', {
      ...at,
      itemId: id,
      ...(to !== undefined && { locale: to }),
      skipCount: true,
    }),
    enabled: isTranslation,
  })
  const translation = useMemo((): Translation | null => {
    if (!isTranslation || source.data === undefined) return null
    const [listed] = list.data?.items ?? []
    const states = new Map((listed?.translations ?? []).map(({ path, state }) => [path, state]))
    return { item, from, to, source: source.data, states }
  }, [isTranslation, source.data, list.data, item, from, to])
  return <TranslationContext value={translation}>{children}</TranslationContext>
}

/** What a localized value is translated from, beside its control, and whether the translation is outdated. */
export function TranslatedFrom({ path }: { readonly path: Path }) {
  const translation = useContext(TranslationContext)
  return translation && <Source translation={translation} path={path} />
}

function Source({ translation, path }: { readonly translation: Translation; readonly path: Path }) {
  const { editor: words } = useWords()
  const { at, reason } = useBranch(translation.item.type)
  const confirm = useMutation(mutationOptions(quire, 'translations.confirm'))
  const { item, from, to, source, states } = translation
  const name = dotted(path)
  const state = states.get(name)
  return (
    <div className="original">
      <p className="row">
        <small>{words.original(from.name)}</small>
        {state !== undefined && <span className={`badge ${state}`}>{words.translationStates[state]}</span>}
        {state === 'outdated' && (
          <Act
            reason={reason('items.update')}
            isBusy={confirm.isPending}
            onAct={() =>
              confirm.mutate({
                ...at,
                itemId: item.id,
                locale: to,
                paths: [name],
                baseVersion: item.currentVersion,
              })
            }
          >
            {words.stillRight}
          </Act>
        )}
      </p>
      <div lang={from.code}>
        <Value value={valueAt(source, path)} />
      </div>
      <Problem error={confirm.error} />
    </div>
  )
}
