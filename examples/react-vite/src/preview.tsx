import { clickToEdit, editable } from '@quire/client/preview'
import { queryOptions } from '@quire/client/query'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { baseUrl, inMagazine, useQuire } from './connection.tsx'

/** What the address of a preview says: see `settings.previewUrl` in the README. */
export interface PreviewOf {
  readonly slug: string
  /** Empty: main. */
  readonly packageName: string
  /** Reads what the editor may read, for an hour. */
  readonly token: string
}

/** Takes from the address of this page what it says, if it is that of a preview. The token does not stay in it. */
export function takePreview({ pathname, searchParams }: URL): PreviewOf | null {
  if (!pathname.startsWith('/preview/')) return null
  history.replaceState(null, '', pathname)
  return {
    slug: decodeURIComponent(pathname.slice('/preview/'.length)),
    packageName: searchParams.get('package') ?? '',
    token: searchParams.get('token') ?? '',
  }
}

/** An article as it is in a package, for its editor: a click on a text opens its field in the console. */
export function Preview({ slug, packageName }: Omit<PreviewOf, 'token'>) {
  const branch = packageName === '' ? inMagazine : { ...inMagazine, packageName }
  const { data, error, refetch } = useQuery(queryOptions(useQuire(), 'items.getBySlug', { ...branch, slug }))
  useEffect(() => clickToEdit({ baseUrl, onSave: () => void refetch() }), [refetch])
  if (error) return <p role="alert">{error.message}</p>
  if (data?.type !== 'article') return null
  const { id, name, fields } = data
  return (
    <article>
      <h1 {...editable({ id }, 'name')}>{name}</h1>
      <p {...editable({ id }, 'fields.title')}>{fields?.title}</p>
    </article>
  )
}
