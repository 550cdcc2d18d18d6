import { queryOptions } from '@quire/client/query'
import type { Item } from '@quire/client'
import type { PreviewNotice, PreviewReport } from '@quire/client/preview'
import { useMutationState, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { Act } from '../controls/act.tsx'
import { Loaded } from '../controls/loaded.tsx'
import { queries, quire } from '../service.ts'
import { useWords } from '../words/language.tsx'
import { useBranch } from './at.ts'
import { saveKey } from './editing.ts'

const route = getRouteApi('/$repo/content/$id')

// A token that ends sooner (ms) is replaced, and the page loads with the new one.
const shortest = 10 * 60_000

/** The address of an item in the front end of its repository, with a token that works for a while yet. */
function useAddress({ id, slug }: Item, loads: number) {
  const { at, localized, repository } = useBranch()
  const { data: me } = useQuery(queryOptions(quire, 'user.me', {}))
  const template = repository?.settings.previewUrl
  const queryKey = ['front end', me?.id, template, at, localized, id, slug, loads]
  return useQuery({
    queryKey,
    queryFn: () => {
      // It is asked for again after each change, which is not what loads the page anew.
      const known = queries.getQueryData<{ url: string; expiresAt: number | null }>(queryKey)
      const isGood = known !== undefined && (known.expiresAt ?? Infinity) > Date.now() + shortest
      return isGood ? known : quire.items.previewUrl({ ...at, ...localized, id })
    },
    refetchInterval: shortest / 2,
    gcTime: 0,
  })
}

/** Whether the policy of this page, which is as old as the page, refused the frame. */
function useIsRefused(): boolean {
  const [isRefused, setRefused] = useState(false)
  useEffect(() => {
    const onViolation = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === 'frame-src') setRefused(true)
    }
    document.addEventListener('securitypolicyviolation', onViolation)
    return () => document.removeEventListener('securitypolicyviolation', onViolation)
  }, [])
  return isRefused
}

/** Shows or hides the item in the front end of its repository, if that has one. */
export function PreviewSwitch() {
  const { editor: words } = useWords()
  const { repository } = useBranch()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  if (repository?.settings.previewUrl === undefined) return null
  const isOn = search.preview !== undefined
  return (
    <label className="choice">
      <input
        type="checkbox"
        checked={isOn}
        onChange={() => void navigate({ search: { ...search, preview: isOn ? undefined : 'on' } })}
      />{' '}
      {words.frontEnd}
    </label>
  )
}

interface FrontEndProps {
  readonly item: Item
  /** Opens a member of the item. */
  readonly onField: (path: string) => void
}

/** The item in the repository's own front end. Who clicks a member there edits it here. */
export function FrontEnd({ item, onField }: FrontEndProps) {
  const { editor: words, sites } = useWords()
  const [loads, setLoads] = useState(0)
  const address = useAddress(item, loads)
  const isRefused = useIsRefused()
  const reload = () => setLoads((count) => count + 1)
  return (
    <section aria-label={words.frontEnd}>
      {isRefused && (
        <p role="alert">
          {words.frameRefused} <Act onAct={() => location.reload()}>{words.reloadPage}</Act>
        </p>
      )}
      <Loaded query={address}>
        {({ url }) => (
          <>
            <p className="row">
              <Act onAct={reload}>{sites.reload}</Act>
              <a href={url} target="_blank" rel="noopener noreferrer">
                {sites.alone}
              </a>
            </p>
            {new URL(url).origin === location.origin ? (
              // It could do here whatever the person may do.
              <p>{words.ownOrigin}</p>
            ) : (
              <Framed key={url} url={url} item={item} onField={onField} onReload={reload} />
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

interface FramedProps extends FrontEndProps {
  readonly url: string
  readonly onReload: () => void
}

function Framed({ url, item, onField, onReload }: FramedProps) {
  const { editor: words } = useWords()
  const navigate = useNavigate()
  const frame = useRef<HTMLIFrameElement>(null)
  const refreshes = useRef(false)
  const { origin } = new URL(url)
  const notify = (quire: PreviewNotice['quire']) =>
    frame.current?.contentWindow?.postMessage({ quire } satisfies PreviewNotice, origin)
  useReports(frame, origin, (report) => {
    if (report.quire === 'ready') {
      refreshes.current = report.refreshes
      notify('hello')
    } else if (report.id === item.id) onField(report.path)
    else
      void navigate({
        to: '/$repo/content/$id',
        params: (before) => ({ ...before, repo: before.repo ?? '', id: report.id }),
        search: (before) => ({ ...before, field: report.path }),
      })
  })
  useSaves(() => (refreshes.current ? notify('saved') : onReload()))
  return (
    <iframe
      ref={frame}
      className="pages"
      title={words.frontEnd}
      src={url}
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
    />
  )
}

/** Calls with what the page in a frame reports, if it is still one of that origin. */
function useReports(
  frame: RefObject<HTMLIFrameElement | null>,
  origin: string,
  onReport: (report: PreviewReport) => void,
): void {
  useEffect(() => {
    const onMessage = ({ data, source, origin: from }: MessageEvent<unknown>) => {
      if (source !== frame.current?.contentWindow || from !== origin) return
      const report = reportIn(data)
      if (report) onReport(report)
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  })
}

/** What a page reports; null for anything else that it sends. */
function reportIn(data: unknown): PreviewReport | null {
  const { quire: kind, refreshes, id, path } = (data ?? {}) as Readonly<Record<string, unknown>>
  if (kind === 'ready') return { quire: kind, refreshes: refreshes === true }
  if (kind !== 'edit' || typeof id !== 'string' || typeof path !== 'string') return null
  // The id becomes a part of an address.
  return /^[\w-]+$/.test(id) ? { quire: kind, id, path } : null
}

/** Calls after each save of the editor. */
function useSaves(onSave: () => void): void {
  const saves = useMutationState({
    filters: { status: 'success', mutationKey: saveKey },
    select: ({ state }) => state.submittedAt,
  })
  const last = saves.at(-1) ?? 0
  const known = useRef(last)
  useEffect(() => {
    if (known.current === last) return
    known.current = last
    onSave()
  })
}
