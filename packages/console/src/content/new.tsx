import { mutationOptions } from '@quire/client/query'
import type { ContentType } from '@quire/client'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Reason } from '../controls/act.tsx'
import { Choice } from '../controls/choice.tsx'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { PanelForm } from '../controls/panel-form.tsx'
import { quire, sentOnce } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'
import { branchSearch } from './search.ts'

interface NewItemProps {
  readonly repo: string
  readonly types: readonly ContentType[]
  /** The type of the items that are listed; undefined: any. */
  readonly listed: string | undefined
  readonly reason: Reason
}

/** Creates an item with its type and name, and leads to its editor. */
export function NewItem({ repo, types, listed = '', reason }: NewItemProps) {
  const { content: words } = useWords()
  const navigate = useNavigate()
  const { at, localized } = useBranch()
  const [name, setName, , clear] = useDraft(`new-item.${repo}`)
  const [type, setType] = useState('')
  const create = useMutation(mutationOptions(quire, 'items.create', sentOnce))
  // An asset begins with its file.
  const options = Object.fromEntries(
    types.filter(({ settings }) => !settings.isAsset).map((one) => [one.name, one.displayName]),
  )
  const [first = ''] = Object.keys(options)
  const chosen = [type, listed].find((one) => one in options) ?? first
  const run = () =>
    create.mutate(
      {
        repositoryId: at.configId,
        ...(at.packageName !== undefined && { packageName: at.packageName }),
        ...localized,
        type: chosen,
        name: name.trim(),
      },
      {
        onSuccess: ({ id }) => {
          clear(name)
          const search = branchSearch({ in: at.packageName, ...localized })
          void navigate({ to: '/$repo/content/$id', params: { repo, id }, search })
        },
      },
    )
  return (
    <PanelForm
      label={words.create}
      kind="main"
      reason={reason}
      answer={words.createIt}
      sending={create}
      isBegun={name !== ''}
      onClose={() => setName('')}
      onSubmit={run}
    >
      <Choice label={words.type} options={options} value={chosen} onChange={setType} />
      <Field label={words.name} value={name} onChange={setName} isRequired />
    </PanelForm>
  )
}
