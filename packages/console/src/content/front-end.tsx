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
import { longestPath } from './open-field.ts'

const route = getRouteApi('/$repo/content/$id')

/** An address, and when it was asked for (Unix ms). */
interface Address {
  readonly url: string
  readonly expiresAt: number | null
  readonly askedAt: number
}

/** Whether most of its time is left. A new address loads the page anew. */
function isGood({ expiresAt, askedAt }: Address): boolean {
  return expiresAt === null || Date.now() < askedAt + (expiresAt - askedAt) * 0.8
}

/** The address of an item in the front end of its repository, with a token that works for a while yet. */
function useAddress({ id, slug }: Item, loads: number) {
  const { at, localized, repository } = useBranch()
  const { data: me } = useQuery(queryOptions(quire, 'user.me', {}))
  const template = repository?.settings.previewUrl
  const queryKey = ['front end', me?.id, template, at, localized, id, slug, loads]
  return useQuery({
    queryKey,
    queryFn: async (): Promise<Address> => {
      // It is asked for again after each change, too.
      const known = queries.getQueryData<Address>(queryKey)
      if (known !== undefined && isGood(known)) return known
      return { ...(await quire.items.preview({ ...at, ...localized, id })), askedAt: Date.now() }
    },
    refetchInterval: 60_000,
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
      <p className="row">
        <Act onAct={reload}>{sites.reload}</Act>
        {address.data && (
          <a href={address.data.url} target="_blank" rel="noopener noreferrer">
            {sites.alone}
          </a>
        )}
      </p>
      <Loaded query={address}>
        {({ url }) =>
          new URL(url).origin === location.origin ? (
            // It could do here whatever the person may do.
            <p>{words.ownOrigin}</p>
          ) : (
            <Framed key={url} url={url} item={item} onField={onField} onReload={reload} />
          )
        }
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
  // Both become parts of an address.
  return /^[\w-]+$/.test(id) && path.length <= longestPath ? { quire: kind, id, path } : null
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
    // A save that is forgotten is no new one.
    if (last <= known.current) return
    known.current = last
    onSave()
  })
}
