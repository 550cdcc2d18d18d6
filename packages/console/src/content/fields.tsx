import type { Field, GroupField, UnionField } from '@quire/client'
import { memo, useId, useState, type ComponentType } from 'react'
import { Act } from '../controls/act.tsx'
import { useWords } from '../words/language.tsx'
import { useIssue, useValue, type Path } from './editing.ts'
import {
  BooleanInput,
  ColorInput,
  GeoInput,
  JsonInput,
  NumberInput,
  SourceInput,
  TextInput,
  TimeInput,
  type InputProps,
} from './inputs.tsx'
import { PickInput } from './pick.tsx'

/** The control of each kind of field without fields of its own. */
const inputs: Readonly<Record<Exclude<Field['kind'], 'group' | 'union'>, ComponentType<InputProps>>> = {
  text: TextInput,
  richText: SourceInput,
  number: NumberInput,
  integer: NumberInput,
  boolean: BooleanInput,
  date: TimeInput,
  datetime: TimeInput,
  reference: PickInput,
  asset: PickInput,
  category: PickInput,
  url: TextInput,
  email: TextInput,
  slug: TextInput,
  color: ColorInput,
  geo: GeoInput,
  json: JsonInput,
}

interface FieldsProps {
  readonly fields: readonly Field[]
  readonly path: Path
}

/** The controls of fields, in their order. */
export function Fields({ fields, path }: FieldsProps) {
  return fields.map((field) => <FieldRow key={field.name} field={field} path={[...path, field.name]} />)
}

interface FieldRowProps {
  readonly field: Field
  readonly path: Path
}

// The path is a new list each time, but its members are the same.
const FieldRow = memo(
  ({ field, path }: FieldRowProps) =>
    field.list ? <ListField field={field} path={path} /> : <OneField field={field} path={path} />,
  (one, other) => one.field === other.field && one.path.join('.') === other.path.join('.'),
)
FieldRow.displayName = 'FieldRow'

function labelOf({ label, name, required }: Field): string {
  return `${label === '' ? name : label}${required ? ' *' : ''}`
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
  if (field.kind === 'group' || field.kind === 'union')
    return (
      <fieldset className="group">
        <legend>{labelOf(field)}</legend>
        <Notes field={field} path={path} id={`${id}-issue`} />
        <Nested field={field} path={path} />
      </fieldset>
    )
  return (
    <div className="field">
      <label htmlFor={id}>
        {labelOf(field)} {field.localized === true && <small>{words.localized}</small>}
      </label>
      <Scalar field={field} path={path} id={id} />
      <Notes field={field} path={path} id={`${id}-issue`} />
    </div>
  )
}

type ScalarField = Exclude<Field, GroupField | UnionField>

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
  const Input = inputs[field.kind]
  const describedBy = issue === null ? undefined : `${id}-issue`
  return <Input field={field} path={path} value={value} onChange={onChange} ids={{ id, describedBy }} />
}

/** The fields of a group, or of the variant of a union that is chosen. */
function Nested({ field, path }: { readonly field: GroupField | UnionField; readonly path: Path }) {
  const { editor: words } = useWords()
  const [type, setType] = useValue([...path, 'type'])
  if (field.kind === 'group') return <Fields fields={field.settings.fields} path={path} />
  const { variants } = field.settings
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
              {label === '' ? name : label}
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
  const [value, setValue] = useValue(path)
  // Which entries are which, while they are moved.
  const [keys, setKeys] = useState<readonly number[]>([])
  const entries: readonly unknown[] = Array.isArray(value) ? value : []
  const keyOf = (at: number) => keys[at] ?? at
  const change = (next: readonly unknown[], order: readonly number[]) => {
    setKeys(order)
    setValue(next.length === 0 ? undefined : next)
  }
  const order = entries.map((_, at) => keyOf(at))
  const add = (entry: unknown) => change([...entries, entry], [...order, Math.max(-1, ...order) + 1])
  const remove = (at: number) => change(entries.toSpliced(at, 1), order.toSpliced(at, 1))
  const move = (at: number, to: number) => change(moved(entries, at, to), moved(order, at, to))
  return (
    <fieldset className="group">
      <legend>{labelOf(field)}</legend>
      <Notes field={field} path={path} id={id} />
      <ol className="entries">
        {entries.map((_, at) => (
          <li key={keyOf(at)}>
            <Entry field={field} path={[...path, at]} name={words.entry(labelOf(field), at + 1)} />
            <span className="row">
              <Act onAct={() => move(at, at - 1)} {...(at === 0 && { reason: '' })}>
                <span aria-label={words.up(at + 1)}>↑</span>
              </Act>
              <Act onAct={() => move(at, at + 1)} {...(at === entries.length - 1 && { reason: '' })}>
                <span aria-label={words.down(at + 1)}>↓</span>
              </Act>
              <Act onAct={() => remove(at)}>
                <span aria-label={words.remove(at + 1)}>×</span>
              </Act>
            </span>
          </li>
        ))}
      </ol>
      <span className="row">
        {field.kind === 'union' ? (
          field.settings.variants.map(({ name, label }) => (
            <Act key={name} onAct={() => add({ type: name })}>
              {words.add(label === '' ? name : label)}
            </Act>
          ))
        ) : (
          <Act onAct={() => add(field.kind === 'group' ? {} : null)}>{words.addEntry}</Act>
        )}
      </span>
    </fieldset>
  )
}

function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const [one] = list.slice(from, from + 1)
  return one === undefined ? list : list.toSpliced(from, 1).toSpliced(to, 0, one)
}

interface EntryProps extends FieldRowProps {
  readonly name: string
}

const Entry = memo(
  ({ field, path, name }: EntryProps) => {
    const id = useId()
    const issue = useIssue(path)
    return (
      <div className="entry">
        {field.kind === 'group' || field.kind === 'union' ? (
          <fieldset className="group">
            <legend>{name}</legend>
            <Nested field={field} path={path} />
          </fieldset>
        ) : (
          <>
            <label htmlFor={id} className="hidden">
              {name}
            </label>
            <Scalar field={field} path={path} id={id} />
          </>
        )}
        {issue !== null && (
          <small id={`${id}-issue`} className="issue" role="alert" lang="en">
            {issue}
          </small>
        )}
      </div>
    )
  },
  (one, other) =>
    one.field === other.field && one.name === other.name && one.path.join('.') === other.path.join('.'),
)
Entry.displayName = 'Entry'
