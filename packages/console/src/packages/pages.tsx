import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Act } from '../controls/act.tsx'
import { Choice } from '../controls/choice.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { quire, serviceUrl } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useAt } from './at.ts'

type Kind = 'create' | 'update' | 'delete' | 'move'

/** The pages of the package beside those of main, rendered by the service, in a frame without scripts. */
export function PackagePages() {
  const { pages: words } = useWords()
  const at = useAt()
  const [kind, setKind] = useState<Kind | ''>('')
  const comparison = useQuery({
    queryKey: ['page-diff', at, kind],
    queryFn: ({ signal }) =>
      quire.packages.pageDiff({ ...at, ...(kind !== '' && { changeType: kind }) }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section>
      <h2>{words.title}</h2>
      <div className="row">
        <Choice
          label={words.which}
          options={{ '': words.all, ...words.kinds }}
          value={kind}
          onChange={setKind}
        />
        <Act isBusy={comparison.isFetching} onAct={() => void comparison.refetch()}>
          {words.again}
        </Act>
      </div>
      <Loaded query={comparison}>
        {({ diffKey }) => {
          const address = `${serviceUrl}/api/content/management/page-diffs/${encodeURIComponent(diffKey)}`
          return (
            <>
              <p>
                <a href={address} target="_blank" rel="noopener">
                  {words.alone}
                </a>
              </p>
              <iframe key={diffKey} className="pages" title={words.frame} src={address} />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
