import { mutationOptions } from '@quire/client/query'
import type { Package } from '@quire/client'
import { useMutation } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Delete } from '../controls/delete.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { Problem } from '../controls/problem.tsx'
import { Tabs } from '../controls/tabs.tsx'
import { Title } from '../controls/title.tsx'
import { useDateText } from '../controls/when.tsx'
import { quire } from '../service.ts'
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
            <div className="row">
              <Badges of={one} />
              <span className="space" />
              <DeletePackage state={one.state} />
            </div>
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

/** Deletes a package that is not merged. Main stays as it is. */
function DeletePackage({ state }: Pick<Package, 'state'>) {
  const { packages: words } = useWords()
  const { reason } = usePackage()
  const at = useAt()
  const navigate = useNavigate()
  const remove = useMutation({
    ...mutationOptions(quire, 'packages.delete'),
    onSuccess: () => void navigate({ to: '/$repo/packages', params: { repo: at.repo } }),
  })
  const isEnded = state === 'merged' || state === 'deleted'
  return (
    <>
      <Problem error={remove.error} />
      {reason('packages.delete') === null && !isEnded && (
        <Delete
          name={at.packageName}
          text={words.deleteText}
          reason={null}
          isBusy={remove.isPending}
          onYes={() => remove.mutate(at)}
        />
      )}
    </>
  )
}
