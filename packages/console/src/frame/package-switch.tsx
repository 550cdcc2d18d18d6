import { queryOptions } from '@quire/client/query'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { Choice } from '../controls/choice.tsx'

/** At most so many packages are offered, the newest first; the list has all. */
const mostPackages = 50

/** Chooses once in which package one works, and shows at one look which one that is. */
export function PackageSwitch({ repo }: { readonly repo: string }) {
  const words = useWords()
  const navigate = useNavigate()
  const { packageName = '' } = useParams({ strict: false })
  const open = useQuery(queryOptions(quire, 'packages.list', { repo, state: 'open', limit: mostPackages }))
  const names = new Set([
    ...(packageName === '' ? [] : [packageName]),
    ...(open.data?.items ?? []).map(({ name }) => name),
  ])
  const options = Object.fromEntries([['', words.main], ...[...names].map((name) => [name, name])])
  return (
    <span className={packageName === '' ? 'where' : 'where in-package'}>
      <Choice
        label={words.workIn}
        options={options}
        value={packageName}
        onChange={(chosen) =>
          void (chosen === ''
            ? navigate({ to: '/$repo/packages', params: { repo } })
            : navigate({ to: '/$repo/packages/$packageName', params: { repo, packageName: chosen } }))
        }
      />
    </span>
  )
}
