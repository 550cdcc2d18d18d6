import { mutationOptions } from '@quire/client/query'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Reason } from '../controls/act.tsx'
import { useDraft } from '../controls/draft.ts'
import { Field } from '../controls/field.tsx'
import { PanelForm } from '../controls/panel-form.tsx'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'

/** Creates a package, and leads into it. */
export function NewPackage({ repo, reason }: { readonly repo: string; readonly reason: Reason }) {
  const { packages: words } = useWords()
  const navigate = useNavigate()
  const [name, setName, , clear] = useDraft(`new-package.${repo}`)
  const create = useMutation(mutationOptions(quire, 'packages.create'))
  const made = (packageName: string) => {
    clear(name)
    return navigate({ to: '/$repo/packages/$packageName', params: { repo, packageName } })
  }
  return (
    <PanelForm
      label={words.create}
      kind="main"
      reason={reason}
      answer={words.createIt}
      sending={create}
      isBegun={name !== ''}
      onClose={() => setName('')}
      onSubmit={() =>
        create.mutate(
          { repo, name: name.trim() },
          { onSuccess: ({ name: packageName }) => void made(packageName) },
        )
      }
    >
      <Field label={words.name} hint={words.nameHint} value={name} onChange={setName} isRequired />
    </PanelForm>
  )
}
