import { Link, Outlet } from '@tanstack/react-router'
import { Loaded } from '../controls/loaded.tsx'
import { Title } from '../controls/title.tsx'
import { useDateText } from '../controls/when.tsx'
import { useWords } from '../words/language.tsx'
import { useAt, usePackage } from './at.ts'
import { Badges } from './badges.tsx'

const views = {
  review: '/$repo/packages/$packageName',
  changes: '/$repo/packages/$packageName/changes',
  pages: '/$repo/packages/$packageName/pages',
  conflicts: '/$repo/packages/$packageName/conflicts',
  merge: '/$repo/packages/$packageName/merge',
} as const

/** The frame of the views of one package. */
export function OnePackage() {
  const { packages: words } = useWords()
  const { query } = usePackage()
  const at = useAt()
  const date = useDateText()
  return (
    <>
      <Title>{at.packageName}</Title>
      <Loaded query={query}>
        {(one) => (
          <>
            <Badges of={one} />
            {one.description !== '' && <p dir="auto">{one.description}</p>}
            {one.mergeAt !== undefined && <p>{words.mergeAt(date(one.mergeAt))}</p>}
            {one.mergedDate !== null && (
              <p>{words.mergedBy(one.mergedByUser?.displayName ?? '', date(one.mergedDate))}</p>
            )}
            {one.mergeError !== undefined && (
              <p role="alert" lang="en">
                {one.mergeError}
              </p>
            )}
            <nav className="tabs" aria-label={one.name}>
              {(Object.keys(views) as (keyof typeof views)[]).map((view) => (
                <Link
                  key={view}
                  to={views[view]}
                  params={at}
                  activeOptions={{ exact: true, includeSearch: false }}
                  activeProps={{ 'aria-current': 'page' }}
                >
                  {words.tabs[view]}
                </Link>
              ))}
            </nav>
            <Outlet />
          </>
        )}
      </Loaded>
    </>
  )
}
