import { Outlet } from '@tanstack/react-router'
import { Loaded } from '../controls/loaded.tsx'
import { Tabs } from '../controls/tabs.tsx'
import { Title } from '../controls/title.tsx'
import { useDateText } from '../controls/when.tsx'
import { useWords } from '../words/language.tsx'
import { useAt, usePackage } from './at.ts'
import { Badges } from './badges.tsx'

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
            <Tabs
              label={one.name}
              tabs={{
                '/$repo/packages/$packageName': words.tabs.review,
                '/$repo/packages/$packageName/changes': words.tabs.changes,
                '/$repo/packages/$packageName/pages': words.tabs.pages,
                '/$repo/packages/$packageName/conflicts': words.tabs.conflicts,
                '/$repo/packages/$packageName/merge': words.tabs.merge,
              }}
            />
            <Outlet />
          </>
        )}
      </Loaded>
    </>
  )
}
