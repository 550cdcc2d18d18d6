import { isQuireError } from '@quire/client'
import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { Act } from '../controls/act.tsx'
import { Copy } from '../controls/copy.tsx'
import { Question } from '../controls/question.tsx'
import { useWords } from '../words/language.tsx'
import { changedMembers, useEditing, type Draft, type DraftStore } from './editing.ts'

/** Throws away what is not saved, after a question. */
export function Discard({ onYes }: { readonly onYes: () => void }) {
  const { editor: words } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Act onAct={() => setOpen(true)}>{words.discard}</Act>
      {isOpen && (
        <Question
          title={`${words.discard}?`}
          answer={words.discard}
          kind="danger"
          onYes={onYes}
          onClose={() => setOpen(false)}
        >
          <p>{words.discardText}</p>
        </Question>
      )}
    </>
  )
}

/** What somebody typed and cannot save here, to be copied. */
export function Unsaved({ draft }: { readonly draft: Draft }) {
  const { editor: words } = useWords()
  const { fields = {}, ...own } = changedMembers(draft)
  return (
    <section className="panel">
      <p>{words.toCopy}</p>
      {Object.entries({ ...own, ...fields, ...draft.texts }).map(([name, value]) => (
        <Member key={name} name={name} value={value} />
      ))}
    </section>
  )
}

/** The draft of an item that is gone, if there is one. */
export function UnsavedOfDeleted({ error, store }: { readonly error: unknown; readonly store: DraftStore }) {
  const [draft, setDraft] = useState(() => store.read())
  if (draft === null || !isQuireError(error) || error.code !== 'not_found') return null
  return (
    <>
      <Unsaved draft={draft} />
      <Discard onYes={() => setDraft(store.clear() && null)} />
    </>
  )
}

/** What was typed into fields that the type no longer has: a save would be refused because of it. */
export function UnsavedOfFields({ names }: { readonly names: readonly string[] }) {
  const { editor: words } = useWords()
  const editing = useEditing()
  const draft = useSyncExternalStore(editing.subscribe, () => editing.draft)
  const { fields = {} } = changedMembers(draft)
  const gone = Object.entries(fields).filter(([name]) => !names.includes(name))
  if (gone.length === 0) return null
  return (
    <section className="panel" role="alert">
      <p>{words.fieldsGone}</p>
      {gone.map(([name, value]) => (
        <Member key={name} name={name} value={value}>
          <Act onAct={() => editing.set(['fields', name], draft.base.fields[name])}>
            {words.takeOut(name)}
          </Act>
        </Member>
      ))}
    </section>
  )
}

interface MemberProps {
  readonly name: string
  readonly value: unknown
  readonly children?: ReactNode
}

function Member({ name, value, children }: MemberProps) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <div>
      <strong>{name}</strong>
      {/* The keyboard scrolls and selects it. */}
      <pre dir="auto" tabIndex={0} aria-label={name}>
        {text}
      </pre>
      <span className="row">
        <Copy text={text} />
        {children}
      </span>
    </div>
  )
}
