import { queryOptions } from '@quire/client/query'
import { isQuireError, type Conflict, type Item } from '@quire/client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react'
import { Act } from '../controls/act.tsx'
import { useDraftKey } from '../controls/draft.ts'
import { Problem } from '../controls/problem.tsx'
import { textOf } from '../controls/value.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { Actions } from './actions.tsx'
import { useBranch } from './at.ts'
import { Conflicts } from './conflicts.tsx'
import {
  changedMembers,
  contentOf,
  Editing,
  EditingContext,
  isSame,
  saveKey,
  useEditing,
  useIssue,
  useValue,
  valueAt,
  withValue,
  type Content,
  type Draft,
  type DraftStore,
} from './editing.ts'
import { TypeFields } from './fields.tsx'
import { FrontEnd, PreviewSwitch } from './front-end.tsx'
import { useItem } from './item.tsx'
import { Discard, Unsaved, UnsavedOfDeleted, UnsavedOfFields } from './unsaved.tsx'
import { openField, useNamedField } from './open-field.ts'
import { pictureUrl } from './picture.ts'
import { Shelves } from './shelves.tsx'
import { TranslationProvider, useTranslated } from './translation.tsx'

const route = getRouteApi('/$repo/content/$id')

/** The editor of an item, made from its type. */
export function EditItem() {
  const item = useItem()
  const { localized, at, repository } = useBranch()
  const { preview } = route.useSearch()
  const isPreviewed = preview !== undefined && repository?.settings.previewUrl !== undefined
  const { id } = route.useParams()
  const store = useDraftStore({ id, repositoryId: repository?.id ?? '' })
  // The frame says what is wrong.
  if (item.data === undefined) return item.error && <UnsavedOfDeleted error={item.error} store={store} />
  return (
    <div className={isPreviewed ? 'split' : undefined}>
      <div>
        <Editor
          // Another branch or locale is another draft.
          key={`${at.packageName ?? ''} ${localized.locale ?? ''} ${id}`}
          item={item.data}
          store={store}
        />
      </div>
      {isPreviewed && <FrontEnd item={item.data} onField={openField} />}
    </div>
  )
}

/** The draft of an item, in the browser of this person. */
function useDraftStore({ id, repositoryId }: Pick<Item, 'id' | 'repositoryId'>): DraftStore {
  const { at, localized } = useBranch()
  const key = useDraftKey(`item.${repositoryId}.${at.packageName ?? ''}.${id}.${localized.locale ?? ''}`)
  return useMemo(
    () => ({
      read: () => JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | null,
      write: (draft) => {
        try {
          localStorage.setItem(key, JSON.stringify(draft))
          return true
        } catch {
          // Its room is used up.
          return false
        }
      },
      clear: () => {
        localStorage.removeItem(key)
        return true
      },
    }),
    [key],
  )
}

function Editor({ item, store }: { readonly item: Item; readonly store: DraftStore }) {
  const { editor: words } = useWords()
  const { localized, reason } = useBranch(item.type)
  const types = useQuery(queryOptions(quire, 'types.list', {}))
  const [editing] = useState(() => {
    const base = contentOf(item)
    const draft = store.read() ?? { version: item.currentVersion, base, content: base }
    return new Editing(draft, store, localized.locale)
  })
  useEffect(() => {
    const flush = () => editing.flush()
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [editing])
  const isChanged = useSyncExternalStore(editing.subscribe, () => editing.isChanged)
  const version = useSyncExternalStore(editing.subscribe, () => editing.draft.version)
  const isBehind = item.currentVersion > version
  useEffect(() => {
    // Nobody typed anything: the editor shows what others wrote.
    if (isBehind && !editing.isChanged) editing.restart(item)
  }, [editing, isBehind, item])
  const type = types.data?.items.find(({ name }) => name === item.type)
  const isTranslation = useTranslated() !== null
  const rights = useQuery(queryOptions(quire, 'auth.myPermissions', {}))
  useNamedField(type !== undefined && rights.isFetched)
  const mayNot = reason('items.update')
  return (
    <EditingContext value={editing}>
      <SaveBar item={item} isBehind={isBehind && isChanged} />
      {isChanged && mayNot !== null && <Unsaved draft={editing.draft} />}
      {type && <UnsavedOfFields names={type.fields.map(({ name }) => name)} />}
      <Picture item={item} />
      <fieldset className="bare" lang={localized.locale} disabled={mayNot !== null}>
        <TextMember member="name" label={words.name} />
        <TextMember member="slug" label={words.slug} />
        <TextMember member="description" label={words.description} />
        <Shelves />
        <Problem error={types.error} onRetry={() => void types.refetch()} />
        {type && (
          <TranslationProvider item={item}>
            <TypeFields fields={type.fields} isTranslation={isTranslation} />
          </TranslationProvider>
        )}
      </fieldset>
    </EditingContext>
  )
}

function TextMember({
  member,
  label,
}: {
  readonly member: 'name' | 'slug' | 'description'
  readonly label: string
}) {
  const id = useId()
  const [value, set] = useValue([member])
  const issue = useIssue([member])
  const control = {
    id,
    dir: 'auto',
    value: textOf(value),
    ...(issue !== null && { 'aria-invalid': true, 'aria-describedby': `${id}-issue` }),
    onChange: ({ target }: { readonly target: { readonly value: string } }) => set(target.value),
  }
  return (
    <div className="field" data-path={member}>
      <label htmlFor={id}>{label}</label>
      {member === 'description' ? <textarea rows={2} {...control} /> : <input {...control} />}
      {issue !== null && (
        <small id={`${id}-issue`} className="issue" role="alert" lang="en">
          {issue}
        </small>
      )}
    </div>
  )
}

function Picture({ item }: { readonly item: Item }) {
  const url = pictureUrl(item, 'card')
  return url !== null && <img className="picture" src={url} alt={item.name} />
}

/** Saves what differs, says how things are, and settles conflicts. It stays in sight. */
function SaveBar({ item, isBehind }: { readonly item: Item; readonly isBehind: boolean }) {
  const { editor: words } = useWords()
  const { at, localized, reason } = useBranch(item.type)
  const editing = useEditing()
  const isChanged = useSyncExternalStore(editing.subscribe, () => editing.isChanged)
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([])
  const save = useMutation({
    mutationKey: saveKey,
    mutationFn: async (draft: Draft) => {
      const saved = await quire.items.update({
        ...at,
        ...localized,
        id: item.id,
        baseVersion: draft.version,
        ...(changedMembers(draft) as object),
      })
      // The answer of a save has the values of fallbacks too.
      if (localized.locale === undefined) return saved
      return (await quire.items.get({ ...at, ...localized, id: item.id, fallback: false })) as Item
    },
    onSuccess: (saved, { content }) => {
      editing.advance(saved, content)
      setConflicts([])
    },
    onError: (error) => {
      if (!isQuireError(error)) return
      setConflicts(error.conflicts?.filter((one): one is Conflict => 'yours' in one) ?? [])
      editing.report(error.issues ?? [])
    },
  })
  /**
   * First the other side wins every conflict, so that the service merges all the rest; then what is to
   * stay of this side is a change of the newest version.
   */
  const resolve = (yours: readonly Conflict[]) => {
    const { draft } = editing
    const theirs = conflicts.reduce<unknown>(
      (content, one) => withValue(content, editing.pathOf(one.path), one.theirs ?? undefined),
      draft.content,
    )
    save.mutate(
      { ...draft, content: theirs as Content },
      {
        onSuccess: (saved) => {
          // What was typed here counts as sent: the service has decided about it.
          editing.advance(saved, draft.content)
          for (const one of yours) {
            const path = editing.pathOf(one.path)
            // Unless somebody has typed on there meanwhile.
            const isOfService = isSame(editing.valueAt(path), valueAt(editing.draft.base, path))
            if (isOfService) editing.set(path, valueAt(draft.content, path))
          }
          if (editing.isChanged) save.mutate(editing.draft)
        },
      },
    )
  }
  const run = () => {
    const texts = Object.keys(editing.draft.texts ?? {})
    if (texts.length > 0) editing.report(texts.map((path) => ({ path, message: words.notJson })))
    else if (editing.isChanged && !save.isPending) save.mutate(editing.draft)
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  const isStored = useSyncExternalStore(editing.subscribe, () => editing.isStored)
  const mayNot = reason('items.update')
  const unsaved = isStored ? words.unsaved : words.noRoom
  const state = save.isPending ? words.saving : isChanged ? unsaved : words.saved
  return (
    <>
      <div className="save row">
        <Act kind="main" reason={mayNot} isBusy={save.isPending} onAct={run}>
          {words.save}
        </Act>
        <span role="status">{state}</span>
        {isChanged && !save.isPending && <Discard onYes={() => editing.restart(item)} />}
        <span className="space" />
        <PreviewSwitch />
        <Actions item={item} isChanged={isChanged} onIssues={(issues) => editing.report(issues)} />
      </div>
      {isBehind && conflicts.length === 0 && <p role="status">{words.behind}</p>}
      {conflicts.length > 0 ? (
        <Conflicts conflicts={conflicts} isBusy={save.isPending} onDone={resolve} />
      ) : (
        <Problem error={save.error} />
      )}
    </>
  )
}
