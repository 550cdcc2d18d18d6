import { followEvents, infiniteQueryOptions } from '@quire/client/query'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Article } from './article.tsx'
import { inMagazine, useQuire } from './connection.tsx'

/** The list of articles, and the one that was chosen. Both follow the changes of others. */
export function Magazine() {
  const [slug, setSlug] = useState('')
  useLiveChanges()
  return (
    <main style={{ display: 'grid', gridTemplateColumns: '20rem 1fr' }}>
      <Articles choose={setSlug} />
      <div style={{ position: 'sticky', top: 0, alignSelf: 'start' }}>
        {slug !== '' && <Article key={slug} slug={slug} />}
      </div>
    </main>
  )
}

/** Fetches what others change again, for as long as the component is shown. */
function useLiveChanges(): void {
  const quire = useQuire()
  const queryClient = useQueryClient()
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const follow = async () => {
      const repository = await quire.repositories.get({ id: inMagazine.configId }, { signal })
      await followEvents(quire, queryClient, { signal, repositories: [repository] })
    }
    follow().catch((error: unknown) => {
      if (!signal.aborted) console.error(error)
    })
    return () => leaving.abort()
  }, [quire, queryClient])
}

/** All articles by name. The next page is read when the end of the list comes into view. */
function Articles({ choose }: { readonly choose: (slug: string) => void }) {
  const articles = { ...inMagazine, type: 'article', sort: 'name', limit: 10 } as const
  const { data, error, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery(
    infiniteQueryOptions(useQuire(), 'items.list', articles),
  )
  const end = useInView(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, data?.pages.length)
  if (error) return <p role="alert">{error.message}</p>
  return (
    <nav>
      <p>{data?.pages[0]?.count} articles</p>
      <ul>
        {data?.pages
          .flatMap(({ items }) => items)
          .map(({ id, name, slug = '' }) => (
            <li key={id} style={{ minHeight: '6rem' }}>
              <button onClick={() => choose(slug)}>{name}</button>
            </li>
          ))}
      </ul>
      <div ref={end}>{hasNextPage ? 'More…' : 'The end.'}</div>
    </nav>
  )
}

/**
 * A ref to an element. Calls `onView` when the element comes into view, and again if it is still in view
 * when `step` has changed.
 */
function useInView(onView: () => void, step: unknown) {
  const [element, setElement] = useState<Element | null>(null)
  useEffect(() => {
    if (!element) return undefined
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) onView()
    })
    observer.observe(element)
    return () => observer.disconnect()
    // `onView` is a new function in every render. The step says when it does something else.
  }, [element, step])
  return setElement
}
