import type { ContentType } from '@quire/client'
import { useId, useState } from 'react'
import { Act } from '../controls/act.tsx'
import { Choice } from '../controls/choice.tsx'
import { textOf } from '../controls/value.tsx'
import { useWords } from '../words/language.tsx'
import { isScalar, labelOf, operators, scalarOf, type Operator, type ScalarField } from './kinds.ts'
import { Cell } from './rows.tsx'
import type { Conditions } from './search.ts'

interface Condition {
  readonly operator: Operator
  readonly value: unknown
}

interface ConditionListProps {
  readonly type: ContentType
  readonly where: Conditions | undefined
  readonly onChange: (where: Conditions) => void
}

/** Conditions on the fields of a type, all of which hold. They are part of the address. */
export function ConditionList({ type, where = {}, onChange }: ConditionListProps) {
  const { content: words, editor } = useWords()
  const fields = type.fields.filter(isScalar).filter((field) => scalarOf(field).operators.length > 0)
  const entries = Object.entries(where)
  if (fields.length === 0) return null
  return (
    <details open={entries.length > 0}>
      <summary>{words.conditions}</summary>
      <ul>
        {entries.map(([key, given]) => (
          <li key={key} className="row">
            <ConditionText
              field={fields.find(({ name }) => keyOf(name) === key)}
              conditions={conditionsIn(given)}
              whole={{ [key]: given }}
            />
            <Act onAct={() => onChange(Object.fromEntries(entries.filter(([other]) => other !== key)))}>
              {editor.clear}
            </Act>
          </li>
        ))}
      </ul>
      <NewCondition
        fields={fields}
        onAdd={({ name }, { operator, value }) => {
          const key = keyOf(name)
          const added = operator === 'absent' ? { exists: false } : { [operator]: value }
          onChange({ ...where, [key]: { ...operatorsIn(where[key]), ...added } })
        }}
      />
    </details>
  )
}

/** How the API names a field. */
function keyOf(name: string): string {
  return `fields.${name}`
}

/** A condition as an object of operators. */
function operatorsIn(given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined) return {}
  if (given === null) return { exists: false }
  return typeof given === 'object' ? { ...given } : { eq: given }
}

/** The conditions on one member; null: they are not of the kind that this page makes. */
function conditionsIn(given: unknown): readonly Condition[] | null {
  const conditions = Object.entries(operatorsIn(given)).map(([operator, value]) => ({
    operator: operator === 'exists' && String(value) === 'false' ? 'absent' : operator,
    value,
  }))
  return conditions.every((one): one is Condition => isOperator(one.operator)) ? conditions : null
}

function isOperator(operator: string): operator is Operator {
  return operators.some((one) => one === operator)
}

interface ConditionTextProps {
  readonly field: ScalarField | undefined
  readonly conditions: readonly Condition[] | null
  /** As it is sent, for what this page has no words for. */
  readonly whole: unknown
}

function ConditionText({ field, conditions, whole }: ConditionTextProps) {
  const { content: words } = useWords()
  if (!field || !conditions) return <code>{textOf(whole)}</code>
  return conditions.map(({ operator, value }) => (
    <span key={operator}>
      <bdi>{labelOf(field)}</bdi> {words.operators[operator]}{' '}
      {takesValue(operator) && (
        <strong>
          <Cell field={field} value={value} />
        </strong>
      )}
    </span>
  ))
}

function takesValue(operator: Operator): boolean {
  return operator !== 'exists' && operator !== 'absent'
}

interface NewConditionProps {
  readonly fields: readonly ScalarField[]
  readonly onAdd: (field: ScalarField, condition: Condition) => void
}

function NewCondition({ fields, onAdd }: NewConditionProps) {
  const { content: words } = useWords()
  const id = useId()
  const [name, setName] = useState('')
  const [operator, setOperator] = useState<Operator>('eq')
  const [value, setValue] = useState<unknown>()
  // Each condition begins with an empty control.
  const [count, setCount] = useState(0)
  const field = fields.find((one) => one.name === name) ?? fields[0]
  if (!field) return null
  const { Input, operators: offered } = scalarOf(field)
  const chosen = offered.includes(operator) ? operator : (offered[0] ?? 'eq')
  const isReady = !takesValue(chosen) || value !== undefined
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) return
        onAdd(field, { operator: chosen, value: takesValue(chosen) ? value : true })
        setValue(undefined)
        setCount(count + 1)
      }}
    >
      <Choice
        label={words.field}
        options={Object.fromEntries(fields.map((one) => [one.name, labelOf(one)]))}
        value={field.name}
        onChange={(next) => {
          setName(next)
          setValue(undefined)
        }}
      />
      <Choice
        label={words.comparison}
        options={
          Object.fromEntries(offered.map((one) => [one, words.operators[one]])) as Record<Operator, string>
        }
        value={chosen}
        onChange={setOperator}
      />
      {takesValue(chosen) && (
        <span className="choice">
          <label htmlFor={id}>{words.value}</label>
          <Input
            key={`${field.name} ${count}`}
            field={field}
            path={['fields', field.name]}
            value={value}
            onChange={setValue}
            ids={{ id, describedBy: undefined }}
            isSearch
          />
        </span>
      )}
      <Act submits reason={isReady ? null : words.noValueYet}>
        {words.addCondition}
      </Act>
    </form>
  )
}
