import { useMutationState } from '@tanstack/react-query'
import { useState } from 'react'
import { useBranch } from '../content/at.ts'
import { Act } from '../controls/act.tsx'
import { momentOf, TimeField } from '../controls/when.tsx'
import { useWords } from '../words/language.tsx'
import { previewUrl, useSite } from './at.ts'

interface PreviewProps {
  /** The path of the page within the site; null: no page is chosen. */
  readonly path: string | null
  /** The local time at which it is looked at; undefined: now. */
  readonly time: string | undefined
  readonly onTime: (time: string | undefined) => void
}

/** A page as it would be published from the branch, in a frame without scripts. */
export function Preview({ path, time, onTime }: PreviewProps) {
  const { sites: words } = useWords()
  const { at } = useSite()
  const { repository, localized } = useBranch()
  const [shows, setShows] = useState(0)
  // What was saved here may show on the page.
  const saves = useMutationState({ filters: { status: 'success' }, select: ({ state }) => state.submittedAt })
  const { locale } = localized
  const view = `${shows} ${saves.at(-1) ?? 0}`
  // Only other locales than the default one are part of a path.
  const prefix = locale === undefined || locale === repository?.settings.locales?.default ? '' : locale
  const within = [prefix, path ?? ''].filter((part) => part !== '').join('/')
  const address = previewUrl(at, within, momentOf(time ?? ''))
  if (path === null) return <p>{words.previewLead}</p>
  return (
    <div>
      <h3>{words.preview}</h3>
      <div className="row">
        <TimeField
          label={words.previewAt}
          hint={words.previewHint}
          value={time ?? ''}
          onChange={(value) => onTime(momentOf(value) === undefined ? undefined : value)}
        />
        <Act onAct={() => setShows(shows + 1)}>{words.reload}</Act>
        <a href={address} target="_blank" rel="noopener">
          {words.alone}
        </a>
      </div>
      <iframe key={view} className="pages" title={words.preview} src={address} />
    </div>
  )
}
