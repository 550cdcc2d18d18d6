import type { Field } from '@quire/client'
import { memo, useId, useMemo, useState } from 'react'
import { Act } from '../controls/act.tsx'
import { useWords } from '../words/language.tsx'
import { dotted, entriesAt, pathOf, useEditing, useIssue, useLength, useValue, type Path } from './editing.ts'
import { TranslatedFrom } from './translation.tsx'
import { isScalar, labelOf, scalarOf, type NestingField, type ScalarField } from './kinds.ts'

interface FieldsProps {
  readonly fields: readonly Field[]
  readonly path: Path
}

/** The controls of fields, in their order. */
export function Fields({ fields, path }: FieldsProps) {
  return fields.map((field) => <FieldRow key={field.name} field={field} path={[...path, field.name]} />)
}

/** The fields of a type. In another locale than the first, what all locales share comes last. */
export function TypeFields({
  fields,
  isTranslation,
}: {
  readonly fields: readonly Field[]
  readonly isTranslation: boolean
}) {
  const { editor: words } = useWords()
  const [own, shared] = useMemo(() => {
    const isOwn = ({ localized }: Field) => !isTranslation || localized === true
    return [fields.filter(isOwn), fields.filter((field) => !isOwn(field))]
  }, [fields, isTranslation])
  return (
    <>
      <Fields fields={own} path={['fields']} />
      {shared.length > 0 && (
        <details>
          <summary>{words.shared}</summary>
          <Fields fields={shared} path={['fields']} />
        </details>
      )}
    </>
  )
}

interface FieldRowProps {
  readonly field: Field
  readonly path: Path
}

// The path is a new list each time, but its members are the same.
const FieldRow = memo(
  ({ field, path }: FieldRowProps) =>
    field.list ? <ListField field={field} path={path} /> : <OneField field={field} path={path} />,
  (one, other) => one.field === other.field && dotted(one.path) === dotted(other.path),
)
FieldRow.displayName = 'FieldRow'

function labelWithSign(field: Field): string {
  return `${labelOf(field)}${field.required ? ' *' : ''}`
}

/** What is wrong with a member, and the hint of its type. */
function Notes({ field, path, id }: FieldRowProps & { readonly id: string }) {
  const issue = useIssue(path)
  return (
    <>
      {field.help !== '' && <small dir="auto">{field.help}</small>}
      {issue !== null && (
        <small id={id} className="issue" role="alert" lang="en">
          {issue}
        </small>
      )}
    </>
  )
}

function OneField({ field, path }: FieldRowProps) {
  const { editor: words } = useWords()
  const id = useId()
  if (!isScalar(field))
    return (
      <fieldset className="group" data-path={dotted(path)}>
        <legend>{labelWithSign(field)}</legend>
        <Notes field={field} path={path} id={`${id}-issue`} />
        <Nested field={field} path={path} />
      </fieldset>
    )
  return (
    <div className="field" data-path={dotted(path)}>
      <label htmlFor={id}>
        {labelWithSign(field)} {field.localized === true && <small>{words.localized}</small>}
      </label>
      <Scalar field={field} path={path} id={id} />
      {field.localized === true && <TranslatedFrom path={path} />}
      <Notes field={field} path={path} id={`${id}-issue`} />
    </div>
  )
}

function Scalar({
  field,
  path,
  id,
}: {
  readonly field: ScalarField
  readonly path: Path
  readonly id: string
}) {
  const [value, onChange] = useValue(path)
  const issue = useIssue(path)
  const { Input } = scalarOf(field)
  const describedBy = issue === null ? undefined : `${id}-issue`
  return <Input field={field} path={path} value={value} onChange={onChange} ids={{ id, describedBy }} />
}

/** The fields of a group, or of the variant of a union that is chosen. */
function Nested({ field: { settings }, path }: { readonly field: NestingField; readonly path: Path }) {
  const { editor: words } = useWords()
  const [type, setType] = useValue([...path, 'type'])
  if ('fields' in settings) return <Fields fields={settings.fields} path={path} />
  const { variants } = settings
  const variant = variants.find(({ name }) => name === type)
  return (
    <>
      <label className="choice">
        {words.kind}{' '}
        <select
          value={variant?.name ?? ''}
          onChange={({ target }) => setType(target.value === '' ? undefined : target.value)}
        >
          <option value="">{words.noValue}</option>
          {variants.map(({ name, label }) => (
            <option key={name} value={name}>
              {labelOf({ name, label })}
            </option>
          ))}
        </select>
      </label>
      {variant && <Fields fields={variant.fields} path={path} />}
    </>
  )
}

/** A list: its entries in their order, which can be moved and removed, and a way to add one. */
function ListField({ field, path }: FieldRowProps) {
  const { editor: words } = useWords()
  const id = useId()
  const editing = useEditing()
  const length = useLength(path)
  // Which entries are which, while they are moved.
  const [keys, setKeys] = useState<readonly number[]>([])
  const order = Array.from({ length }, (_, at) => keys[at] ?? at)
  const name = dotted(path)
  const change = useMemo(() => {
    const at = pathOf(name)
    return (next: (list: readonly unknown[]) => readonly unknown[]) => {
      const entries = entriesAt(editing, at)
      const changed = next(entries)
      setKeys((before) => next(entries.map((_, index) => before[index] ?? index)) as readonly number[])
      editing.set(at, changed.length === 0 ? undefined : changed)
    }
  }, [editing, name])
  const add = (entry: unknown) => {
    setKeys([...order, Math.max(-1, ...order) + 1])
    editing.set(path, [...entriesAt(editing, path), entry])
  }
  return (
    <fieldset className="group" data-path={dotted(path)}>
      <legend>{labelWithSign(field)}</legend>
      {field.localized === true && <TranslatedFrom path={path} />}
      <Notes field={field} path={path} id={id} />
      <ol className="entries">
        {order.map((key, at) => (
          <Entry
            key={key}
            field={field}
            path={[...path, at]}
            name={words.entry(labelWithSign(field), at + 1)}
            isLast={at === length - 1}
            onChange={change}
          />
        ))}
      </ol>
      <span className="row">
        {'variants' in field.settings ? (
          field.settings.variants.map(({ name: type, label }) => (
            <Act key={type} onAct={() => add({ type })}>
              {words.add(label === '' ? type : label)}
            </Act>
          ))
        ) : (
          <Act onAct={() => add(isScalar(field) ? null : {})}>{words.addEntry}</Act>
        )}
      </span>
    </fieldset>
  )
}

function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const [one] = list.slice(from, from + 1)
  return one === undefined && list.length <= from ? list : list.toSpliced(from, 1).toSpliced(to, 0, one as T)
}

interface EntryProps extends FieldRowProps {
  readonly name: string
  readonly isLast: boolean
  readonly onChange: (next: (list: readonly unknown[]) => readonly unknown[]) => void
}

const Entry = memo(
  ({ field, path, name, isLast, onChange }: EntryProps) => {
    const { editor: words } = useWords()
    const id = useId()
    const issue = useIssue(path)
    const at = Number(path.at(-1))
    return (
      <li data-path={dotted(path)}>
        {isScalar(field) ? (
          <div className="entry">
            <label htmlFor={id} className="hidden">
              {name}
            </label>
            <Scalar field={field} path={path} id={id} />
          </div>
        ) : (
          <fieldset className="group">
            <legend>{name}</legend>
            <Nested field={field} path={path} />
          </fieldset>
        )}
        {issue !== null && (
          <small id={`${id}-issue`} className="issue" role="alert" lang="en">
            {issue}
          </small>
        )}
        <span className="row">
          <button
            type="button"
            aria-label={words.up(at + 1)}
            aria-disabled={at === 0}
            onClick={() => at > 0 && onChange((list) => moved(list, at, at - 1))}
          >
            ↑
          </button>
          <button
            type="button"
            aria-label={words.down(at + 1)}
            aria-disabled={isLast}
            onClick={() => !isLast && onChange((list) => moved(list, at, at + 1))}
          >
            ↓
          </button>
          <button
            type="button"
            aria-label={words.remove(at + 1)}
            onClick={() => onChange((list) => list.toSpliced(at, 1))}
          >
            ×
          </button>
        </span>
      </li>
    )
  },
  (one, other) =>
    one.field === other.field &&
    one.name === other.name &&
    one.isLast === other.isLast &&
    one.onChange === other.onChange &&
    dotted(one.path) === dotted(other.path),
)
Entry.displayName = 'Entry'
